import { useEffect, useState } from 'react'
import { LoadError } from '@/shared/errors'
import { SubmitForm, useForm } from '@/shared/forms'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { useScoreConfigs } from '../api/useScoreConfigs'
import { Select, Skeleton, TextField } from '@/shared/ui'
import {
  dataTypes,
  emptyValues,
  scoreProblems,
  toScoreValues,
  withoutConfig,
  type Score,
  type ScoreConfig,
  type ScoreValues,
} from '../model/scoring'
import { ValueField } from './ValueField'

type ScoreFormProps = {
  projectId: string
  /** The score to change; undefined for a new one. */
  score?: Score
  /** The label of the button. */
  action: string
  isPending?: boolean
  error?: unknown
  /** The name under which unsent values are kept while the user looks elsewhere. */
  keptAs?: string
  onSubmit: (values: ScoreValues, config: ScoreConfig | undefined) => void
  onClose: () => void
}

/** Asks for a score, with a config of the project or a free name. */
export function ScoreForm(props: ScoreFormProps) {
  const configs = useScoreConfigs(props.projectId)
  const { score } = props
  // An existing score can be changed even if its config cannot be loaded: the server checks the rules.
  if (configs.isError && !score)
    return <LoadError title="Couldn’t load the score configs" query={configs} />
  if (configs.isPending) return <Skeleton className="h-24 w-full" />
  const usable = (configs.data ?? []).filter(({ id, isArchived }) =>
    score ? id === score.configId : !isArchived,
  )
  return <Fields {...props} configs={usable} />
}

function Fields(props: ScoreFormProps & { configs: ScoreConfig[] }) {
  const { score, configs, action, isPending, error, keptAs = '', onSubmit, onClose } = props
  const [initial] = useState(
    () => findUnsent<ScoreValues>(keptAs) ?? (score ? toScoreValues(score) : emptyValues(configs)),
  )
  const configOf = (values: ScoreValues) => configs.find(({ id }) => id === values.configId)
  const form = useForm<ScoreValues>({
    initial,
    check: (values) => scoreProblems(values, configOf(values)),
    error,
  })
  const { values } = form
  // What is typed is kept until it is sent or given up.
  useEffect(() => {
    if (values !== initial) keepUnsent(keptAs, values)
  }, [keptAs, values, initial])
  const { configId } = values
  const config = configOf(form.values)
  const isOwn = configId === withoutConfig
  return (
    <SubmitForm
      action={action}
      isPending={isPending}
      error={form.error}
      onSubmit={() => form.submit((valid) => onSubmit(valid, config))}
      onClose={() => {
        keepUnsent(keptAs, undefined)
        onClose()
      }}
    >
      {!score && configs.length > 0 && (
        <Select
          label="What"
          options={[
            ...configs.map(({ id, name, description }) => ({
              id,
              label: name,
              description: description ?? undefined,
            })),
            {
              id: withoutConfig,
              label: 'Something else',
              description: 'A score with its own name and type',
            },
          ]}
          value={configId === '' ? null : configId}
          onChange={(next) => form.change({ configId: next, value: '' })}
          error={form.errorAt('configId')}
        />
      )}
      {!score && isOwn && (
        <>
          <TextField label="Name" {...form.field('name')} />
          <Select
            label="Type"
            options={dataTypes.filter(({ id }) => id !== 'CORRECTION')}
            value={form.values.dataType}
            onChange={(dataType) => form.change({ dataType, value: '' })}
          />
        </>
      )}
      {configId !== '' && (
        <ValueField
          dataType={config?.dataType ?? form.values.dataType}
          config={config}
          value={form.values.value}
          onChange={(value) => form.change({ value })}
          error={form.errorAt('value')}
        />
      )}
      <TextField label="Comment" rows={3} {...form.field('comment')} />
    </SubmitForm>
  )
}

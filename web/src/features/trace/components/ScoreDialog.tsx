import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { useForm } from '@/features/forms'
import { LoadError } from '@/features/failures'
import { useScoreConfigs } from '@/features/scoreConfigs'
import { projectPath } from '@/lib/paths'
import {
  Button,
  Dialog,
  EmptyState,
  FormLayout,
  linkClass,
  Select,
  Skeleton,
  TextField,
  toast,
} from '@/ui'
import { usePutScore, type Score } from '../api/useScores'
import {
  scoreProblems,
  scoreRequest,
  toScoreValues,
  type ScoreConfig,
  type ScoreSubject,
  type ScoreValues,
} from '../model/score'

type ScoreDialogProps = {
  projectId: string
  subject: ScoreSubject
  /** The score to change; 'new' adds one; undefined is closed. */
  score: Score | 'new' | undefined
  onClose: () => void
}

/** Adds or changes a score. What may be scored is what the project has configs for. */
export function ScoreDialog({ projectId, subject, score, onClose }: ScoreDialogProps) {
  return (
    <Dialog
      title={score === 'new' || !score ? 'Add score' : `Edit ${score.name.slice(0, 100)}`}
      isOpen={score !== undefined}
      onClose={onClose}
    >
      {score !== undefined && (
        <Configs projectId={projectId} subject={subject} score={score} onClose={onClose} />
      )}
    </Dialog>
  )
}

type ConfigsProps = ScoreDialogProps & { score: Score | 'new' }

function Configs(props: ConfigsProps) {
  const configs = useScoreConfigs(props.projectId)
  if (configs.isError)
    return <LoadError title="The score configs could not be loaded" query={configs} />
  if (!configs.data) return <Skeleton className="h-24 w-full" />
  const { score } = props
  const usable = configs.data.filter(
    (config) => !config.isArchived || (score !== 'new' && config.id === score.configId),
  )
  if (usable.length === 0)
    return (
      <EmptyState title="Nothing to score with yet">
        A score config says what is scored, and how.{' '}
        <Link to={projectPath(props.projectId, 'settings/scores')} className={linkClass}>
          Create one in the settings
        </Link>
      </EmptyState>
    )
  return <ScoreForm {...props} configs={usable} />
}

function ScoreForm({
  projectId,
  subject,
  score,
  configs,
  onClose,
}: ConfigsProps & { configs: ScoreConfig[] }) {
  const put = usePutScore(projectId, subject.traceId)
  const isNew = score === 'new'
  const [initial] = useState<ScoreValues>(() =>
    isNew
      ? { configId: configs.length === 1 ? (configs[0]?.id ?? '') : '', value: '', comment: '' }
      : toScoreValues(score),
  )
  const configOf = (values: ScoreValues) => configs.find(({ id }) => id === values.configId)
  const form = useForm<ScoreValues>({
    initial,
    check: (values) => scoreProblems(values, configOf(values)),
    error: put.error,
  })
  const config = configOf(form.values)
  const send = (values: ScoreValues) => {
    if (!config) return
    const about =
      isNew || !score.subject
        ? subject
        : {
            traceId: subject.traceId,
            observationId: score.subject.kind === 'observation' ? score.subject.id : undefined,
          }
    put.mutate(scoreRequest(values, config, about, isNew ? undefined : score.id), {
      onSuccess: () => {
        toast(isNew ? 'Score added' : 'Score changed')
        onClose()
      },
    })
  }
  return (
    <FormLayout
      wide
      error={form.error}
      onSubmit={() => form.submit(send)}
      actions={
        <>
          <Button type="submit" variant="primary" isPending={put.isPending}>
            {isNew ? 'Add score' : 'Save'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <Select
        label="What"
        options={configs.map(({ id, name, description }) => ({
          id,
          label: name,
          description: description ?? undefined,
        }))}
        value={form.values.configId === '' ? null : form.values.configId}
        onChange={(configId) => form.change({ configId, value: '' })}
        isDisabled={!isNew}
        error={form.errorAt('configId')}
      />
      {config && (
        <ValueField
          config={config}
          value={form.values.value}
          onChange={(value) => form.change({ value })}
          error={form.errorAt('value')}
        />
      )}
      <TextField label="Comment" rows={3} {...form.field('comment')} />
    </FormLayout>
  )
}

type ValueFieldProps = {
  config: ScoreConfig
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

function ValueField({ config, value, onChange, error }: ValueFieldProps) {
  const common = { label: 'Value', error, onChange }
  switch (config.dataType) {
    case 'BOOLEAN':
      return (
        <Select
          {...common}
          value={value === '' ? null : value}
          options={[
            { id: '1', label: 'Yes' },
            { id: '0', label: 'No' },
          ]}
        />
      )
    case 'CATEGORICAL':
      return (
        <Select
          {...common}
          value={value === '' ? null : value}
          options={(config.categories ?? []).map(({ label }) => ({ id: label, label }))}
        />
      )
    case 'NUMERIC':
      return (
        <TextField
          {...common}
          value={value}
          inputMode="decimal"
          description={rangeText(config.minValue, config.maxValue)}
        />
      )
    default:
      return <TextField {...common} value={value} rows={3} />
  }
}

function rangeText(least: number | null, most: number | null): string | undefined {
  if (least !== null && most !== null) return `From ${least} to ${most}`
  if (least !== null) return `At least ${least}`
  return most === null ? undefined : `At most ${most}`
}

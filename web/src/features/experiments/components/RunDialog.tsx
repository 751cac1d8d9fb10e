import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { Editor } from '@/shared/editor'
import { LoadError } from '@/shared/errors'
import { ListEditor, SubmitForm, useForm } from '@/shared/forms'
import { countOf } from '@/shared/lib/format'
import { useModels, type Models } from '@/shared/llmModels'
import {
  Button,
  Callout,
  Checkbox,
  ComboBox,
  Dialog,
  NumberField,
  SegmentedControl,
  Select,
  Skeleton,
  TextField,
  toast,
} from '@/shared/ui'
import { useDatasetNames } from '../api/useExperiments'
import { useEstimate, useStartRuns } from '../api/useRuns'
import { experimentsIn, most, newRunDraft, runBody, runProblems } from '../model/runDraft'
import { EstimateView } from './EstimateView'
import { PromptFields } from './PromptFields'

type RunExperimentProps = {
  projectId: string
  /** The dataset of the page, '' to choose one. */
  datasetId: string
}

/** The button that opens the form in which experiments are started. */
export function RunExperiment({ projectId, datasetId }: RunExperimentProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" icon={<FlaskConical aria-hidden />} onPress={() => setOpen(true)}>
        Run experiment
      </Button>
      <Dialog title="Run experiment" size="lg" isOpen={isOpen} onClose={() => setOpen(false)}>
        <LoadedForm projectId={projectId} datasetId={datasetId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

type FormProps = RunExperimentProps & { onClose: () => void }

function LoadedForm(props: FormProps) {
  const models = useModels(props.projectId)
  if (models.isError && !models.data)
    return <LoadError title="Couldn’t load the models" query={models} />
  if (!models.data) return <Skeleton className="h-64 w-full" />
  if (models.data.connections.length === 0)
    return (
      <Callout title="The project has no LLM connection">
        An admin adds one in the settings of the project.
      </Callout>
    )
  return <RunForm {...props} models={models.data} />
}

function RunForm({ projectId, datasetId, models, onClose }: FormProps & { models: Models }) {
  const start = useStartRuns(projectId)
  const estimate = useEstimate(projectId)
  const names = useDatasetNames(projectId, datasetId === '')
  const [initial] = useState(() => newRunDraft(datasetId, firstModel(models)))
  const form = useForm({
    initial,
    check: runProblems,
    // What was asked last says what is wrong.
    error: start.error ?? estimate.error,
  })
  const { values } = form
  const [estimated, setEstimated] = useState<string>()
  const body = JSON.stringify(values)
  const count = experimentsIn(values)
  return (
    <SubmitForm
      action={count > 1 ? `Run ${count} experiments` : 'Run experiment'}
      isPending={start.isPending}
      error={form.error}
      onSubmit={() =>
        form.submit((draft) => {
          estimate.reset()
          start.mutate(runBody(draft), {
            onSuccess: ({ experiments }) => {
              toast(`${countOf(experiments.length, 'experiment')} started`)
              onClose()
            },
          })
        })
      }
      onClose={onClose}
    >
      {datasetId === '' && (
        <Select
          label="Dataset"
          options={[...(names.data ?? [])].map(([id, label]) => ({ id, label }))}
          value={values.datasetId === '' ? null : values.datasetId}
          onChange={(id) => form.change({ datasetId: id })}
          error={form.errorAt('datasetId')}
        />
      )}
      {datasetId !== '' && form.errorAt('datasetId') !== undefined && (
        <Callout tone="danger">{form.errorAt('datasetId')}</Callout>
      )}
      <SegmentedControl
        label="What is sent"
        className="self-start"
        options={[
          { id: 'prompts', label: 'Prompt versions' },
          { id: 'messages', label: 'Messages' },
        ]}
        value={values.source}
        onChange={(source) => form.change({ source })}
      />
      {values.source === 'prompts' ? (
        <PromptFields
          projectId={projectId}
          prompt={values.prompt}
          versions={values.prompts}
          promptError={form.errorAt('prompt')}
          versionsError={form.errorAt('prompts')}
          onChange={({ prompt, versions }) =>
            form.change({
              ...(prompt !== undefined && { prompt }),
              ...(versions && { prompts: versions }),
            })
          }
        />
      ) : (
        <>
          <Editor
            {...form.field('system')}
            label="System message"
            mode={{ kind: 'template' }}
            minRows={2}
            maxRows={8}
          />
          <Editor
            {...form.field('message')}
            label="User message"
            description="Members of an item’s input are variables; {{input}} is the whole input."
            mode={{ kind: 'template' }}
            minRows={3}
            maxRows={12}
          />
        </>
      )}
      <ListEditor
        label="Models"
        noun="model"
        list={form.list('models')}
        create={() => ({ connection: values.models.at(-1)?.connection ?? '', model: '' })}
        max={most.models}
      >
        {(entry, at, change) => (
          <div className="grid min-w-0 gap-2 sm:grid-cols-2">
            <Select
              label="Connection"
              options={models.connections.map(({ connection }) => ({
                id: connection,
                label: connection,
              }))}
              value={entry.connection === '' ? null : entry.connection}
              onChange={(connection) => change({ ...entry, connection })}
              error={form.list('models').errorAt(at, 'connection')}
              className="min-w-0"
            />
            <ComboBox
              // The suggestions of another connection are others.
              key={entry.connection}
              label="Model"
              options={modelsOf(models, entry.connection)}
              inputValue={entry.model}
              onInputChange={(model) => change({ ...entry, model })}
              error={form.list('models').errorAt(at, 'model')}
              allowsCustom
              className="min-w-0"
            />
          </div>
        )}
      </ListEditor>
      {form.errorAt('models') !== undefined && (
        <p className="text-sm text-danger">{form.errorAt('models')}</p>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label="Temperature"
          description="Empty: the model’s own."
          value={values.temperature}
          minValue={0}
          maxValue={2}
          step={0.1}
          onChange={(temperature) => form.change({ temperature })}
        />
        <NumberField
          label="Most tokens of an answer"
          description="Empty: the model’s own."
          value={values.maxTokens}
          minValue={1}
          onChange={(maxTokens) => form.change({ maxTokens })}
        />
        <NumberField
          label="Repetitions of each item"
          value={values.repetitions}
          minValue={1}
          maxValue={most.repetitions}
          onChange={(n) => form.change({ repetitions: Number.isFinite(n) ? n : 1 })}
          error={form.errorAt('repetitions')}
        />
        <NumberField
          label="Calls at once"
          value={values.concurrency}
          minValue={1}
          maxValue={most.concurrency}
          onChange={(n) => form.change({ concurrency: Number.isFinite(n) ? n : 1 })}
        />
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-sm font-medium text-text-2">Scores of each output</legend>
        <Checkbox isSelected={values.equal} onChange={(equal) => form.change({ equal })}>
          It equals the expected output
        </Checkbox>
        <Checkbox isSelected={values.json} onChange={(json) => form.change({ json })}>
          It is JSON
        </Checkbox>
        <Editor
          {...form.field('checks')}
          label="It matches this JSON Schema"
          mode={{ kind: 'json' }}
          minRows={1}
          maxRows={8}
        />
      </fieldset>
      <TextField
        {...form.field('name')}
        label="Name"
        description="Without one, it is made of the prompt, the model and the time."
        maxLength={200}
        autoComplete="off"
      />
      <div className="flex flex-col gap-2">
        <div>
          <Button
            size="sm"
            isPending={estimate.isPending}
            onPress={() =>
              form.tryOut((draft) => {
                start.reset()
                setEstimated(body)
                estimate.mutate(runBody(draft))
              })
            }
          >
            Estimate the cost
          </Button>
        </div>
        {estimate.data && estimated === body && <EstimateView estimates={estimate.data} />}
      </div>
    </SubmitForm>
  )
}

function firstModel(models: Models): { connection: string; model: string } | null {
  if (models.default) return { connection: models.default.connection, model: models.default.model }
  const [first] = models.connections
  return first ? { connection: first.connection, model: first.models[0] ?? '' } : null
}

function modelsOf(models: Models, connection: string): { id: string; label: string }[] {
  const found = models.connections.find((each) => each.connection === connection)
  return (found?.models ?? []).map((name) => ({ id: name, label: name }))
}

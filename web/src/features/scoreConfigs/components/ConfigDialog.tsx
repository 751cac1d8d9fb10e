import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { SubmitForm, useForm } from '@/shared/forms'
import { Button, Dialog, IconButton, Select, TextField, toast } from '@/shared/ui'
import { useChangeScoreConfig, useCreateScoreConfig, type ScoreConfig } from '@/shared/scoring'
import {
  configChange,
  configProblems,
  configRequest,
  dataTypes,
  emptyConfig,
  newCategory,
  toValues,
  type CategoryDraft,
  type ConfigValues,
} from '../model/config'

type ConfigDialogProps = {
  projectId: string
  /** The config to change; 'new' creates one; undefined closes the dialog. */
  config: ScoreConfig | 'new' | undefined
  onClose: () => void
}

/** Creates or changes a score config. The data type cannot be changed. */
export function ConfigDialog({ projectId, config, onClose }: ConfigDialogProps) {
  return (
    <Dialog
      title={config === 'new' || !config ? 'New score config' : `Edit ${config.name}`}
      isOpen={config !== undefined}
      onClose={onClose}
      size="lg"
    >
      {config !== undefined && (
        <ConfigForm projectId={projectId} config={config} onClose={onClose} />
      )}
    </Dialog>
  )
}

function ConfigForm({
  projectId,
  config,
  onClose,
}: {
  projectId: string
  config: ScoreConfig | 'new'
  onClose: () => void
}) {
  const create = useCreateScoreConfig(projectId)
  const change = useChangeScoreConfig(projectId)
  const isNew = config === 'new'
  const [initial] = useState<ConfigValues>(() => (isNew ? emptyConfig() : toValues(config)))
  const form = useForm<ConfigValues>({
    initial,
    check: configProblems,
    error: isNew ? create.error : change.error,
  })
  const isPending = create.isPending || change.isPending
  const done = () => {
    toast(isNew ? 'Score config created' : 'Score config changed')
    onClose()
  }
  const send = (values: ConfigValues) => {
    if (isNew) create.mutate(configRequest(values), { onSuccess: done })
    else change.mutate({ configId: config.id, change: configChange(values) }, { onSuccess: done })
  }
  const { dataType } = form.values
  return (
    <SubmitForm
      action={isNew ? 'Create config' : 'Save'}
      isPending={isPending}
      error={form.error}
      onSubmit={() => form.submit(send)}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('name')}
          label="Name"
          maxLength={35}
          autoFocus
          autoComplete="off"
        />
        <Select
          {...form.field('dataType')}
          label="Type"
          options={dataTypes}
          isDisabled={!isNew}
          description={isNew ? undefined : 'Stays as it is'}
        />
        {dataType === 'NUMERIC' && (
          <>
            <TextField
              {...form.field('minValue')}
              label="Smallest (optional)"
              inputMode="decimal"
            />
            <TextField {...form.field('maxValue')} label="Largest (optional)" inputMode="decimal" />
          </>
        )}
      </div>
      {dataType === 'CATEGORICAL' && (
        <Categories
          value={form.values.categories}
          onChange={(categories) => form.change({ categories })}
          error={form.errorAt('categories')}
        />
      )}
      <TextField
        {...form.field('description')}
        label="Description (optional)"
        rows={3}
        maxLength={10_000}
        description="Shown to people who score: what each value means."
      />
    </SubmitForm>
  )
}

function Categories({
  value,
  onChange,
  error,
}: {
  value: CategoryDraft[]
  onChange: (value: CategoryDraft[]) => void
  error?: string
}) {
  const set = (category: CategoryDraft, next: Partial<CategoryDraft>) =>
    onChange(value.map((each) => (each === category ? { ...each, ...next } : each)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-sm font-medium text-text-2">Categories</legend>
      {value.map((category) => (
        <div key={category.key} className="flex items-end gap-2">
          <TextField
            label="Label"
            value={category.label}
            onChange={(label) => set(category, { label })}
            className="min-w-0 flex-1"
            autoComplete="off"
          />
          <TextField
            label="Value"
            value={category.value}
            onChange={(text) => set(category, { value: text })}
            inputMode="decimal"
            className="w-24"
            autoComplete="off"
          />
          <IconButton
            label={`Remove ${category.label || 'category'}`}
            icon={<Trash2 aria-hidden />}
            onPress={() => onChange(value.filter((each) => each !== category))}
          />
        </div>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div>
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          onPress={() => onChange([...value, newCategory('', String(value.length))])}
        >
          Add a category
        </Button>
      </div>
    </fieldset>
  )
}

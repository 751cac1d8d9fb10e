import { useForm } from '@/shared/forms'
import { NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Button, Callout, FormLayout, Select, TextField, toast } from '@/shared/ui'
import { useUpdateProject } from '../api/useProjectChange'
import {
  keepsOptions,
  maxDataBytes,
  maxDataProblem,
  retentionDays,
  retentionProblem,
  toRetentionValues,
  type RetentionValues,
} from '../model/retention'

export function RetentionForm() {
  const { project, can } = useProject()
  const update = useUpdateProject(project.id)
  const form = useForm<RetentionValues>({
    initial: toRetentionValues(project.retentionDays, project.maxDataBytes),
    check: (values) => ({
      retentionDays: retentionProblem(values),
      maxData: maxDataProblem(values),
    }),
    error: update.error,
    draft: { name: 'retention' },
  })
  const next = retentionDays(form.values)
  const nextMax = maxDataBytes(form.values)
  const isShorter =
    retentionProblem(form.values) === undefined &&
    next > 0 &&
    (project.retentionDays === 0 || next < project.retentionDays)
  if (!can('project:update')) {
    return (
      <>
        <p>
          {project.retentionDays === 0
            ? 'Data is kept forever.'
            : `Data is kept for ${project.retentionDays} days.`}
          {project.maxDataBytes > 0 &&
            ` At most ${project.maxDataBytes / 1_000_000_000} GB are kept.`}
        </p>
        <NeedsRole doing="change the retention" permission="project:update" />
      </>
    )
  }
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit((values) =>
          update.mutate(
            { retentionDays: retentionDays(values), maxDataBytes: maxDataBytes(values) },
            { onSuccess: () => toast('Retention changed') },
          ),
        )
      }
      actions={
        <Button
          type="submit"
          isPending={update.isPending}
          isDisabled={next === project.retentionDays && nextMax === project.maxDataBytes}
        >
          Save
        </Button>
      }
    >
      <Select {...form.field('keeps')} label="Keep data" options={keepsOptions} />
      {form.values.keeps === 'days' && (
        <TextField {...form.field('retentionDays')} label="Days" inputMode="numeric" />
      )}
      <TextField
        {...form.field('maxData')}
        label="At most (GB)"
        description="Maximum disk space for observations and scores. When it is exceeded, the oldest days are deleted; daily totals are kept. Leave empty for no limit."
        inputMode="decimal"
      />
      {isShorter && (
        <Callout tone="warning">
          Traces, observations, scores and media that are older than {next} days are deleted, and
          cannot be brought back.
        </Callout>
      )}
    </FormLayout>
  )
}

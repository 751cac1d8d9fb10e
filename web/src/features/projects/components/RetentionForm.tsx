import { useForm } from '@/features/forms'
import { NeedsRole } from '@/features/roles'
import { useProject } from '@/features/session'
import { Button, Callout, FormLayout, Select, TextField, toast } from '@/ui'
import { useUpdateProject } from '../api/useProjectChange'
import {
  keepsOptions,
  retentionDays,
  retentionProblem,
  toRetentionValues,
  type RetentionValues,
} from '../model/retention'

export function RetentionForm() {
  const { project, can } = useProject()
  const update = useUpdateProject(project.id)
  const form = useForm<RetentionValues>({
    initial: toRetentionValues(project.retentionDays),
    check: (values) => ({ retentionDays: retentionProblem(values) }),
    error: update.error,
  })
  const next = retentionDays(form.values)
  const isShorter =
    retentionProblem(form.values) === undefined &&
    next > 0 &&
    (project.retentionDays === 0 || next < project.retentionDays)
  if (!can('project:update')) {
    return (
      <>
        <p>
          {project.retentionDays === 0
            ? 'Data is kept for ever.'
            : `Data is kept for ${project.retentionDays} days.`}
        </p>
        <NeedsRole doing="change the retention" permission="project:update" level="project" />
      </>
    )
  }
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit((values) =>
          update.mutate(
            { retentionDays: retentionDays(values) },
            { onSuccess: () => toast('Retention changed') },
          ),
        )
      }
      actions={
        <Button
          type="submit"
          isPending={update.isPending}
          isDisabled={next === project.retentionDays}
        >
          Save
        </Button>
      }
    >
      <Select {...form.field('keeps')} label="Keep data" options={keepsOptions} />
      {form.values.keeps === 'days' && (
        <TextField {...form.field('retentionDays')} label="Days" inputMode="numeric" />
      )}
      {isShorter && (
        <Callout tone="warning">
          Traces, observations, scores and media that are older than {next} days are deleted, and
          cannot be brought back.
        </Callout>
      )}
    </FormLayout>
  )
}

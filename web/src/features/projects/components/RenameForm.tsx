import { useForm } from '@/shared/forms'
import { NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Button, FormLayout, TextField, toast } from '@/shared/ui'
import { useUpdateProject } from '../api/useProjectChange'

export function RenameForm() {
  const { project, can } = useProject()
  const update = useUpdateProject(project.id)
  const form = useForm({
    initial: { name: project.name },
    check: (values) => ({ name: values.name.trim() === '' ? 'Enter a name' : undefined }),
    error: update.error,
    draft: { name: 'name' },
  })
  const mayRename = can('project:update')
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit(({ name }) =>
          update.mutate({ name: name.trim() }, { onSuccess: () => toast('Project renamed') }),
        )
      }
      actions={
        <NeedsRole doing="rename the project" permission="project:update">
          <Button
            type="submit"
            isPending={update.isPending}
            isDisabled={form.values.name.trim() === project.name}
          >
            Save
          </Button>
        </NeedsRole>
      }
    >
      <TextField
        {...form.field('name')}
        label="Name"
        maxLength={60}
        autoComplete="off"
        isDisabled={!mayRename}
      />
    </FormLayout>
  )
}

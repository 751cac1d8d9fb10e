import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api'
import { NeedsRole } from '@/features/roles'
import { sessionKey, useProject } from '@/features/session'
import { organizationPath } from '@/lib/paths'
import { Button, ConfirmDialog, toast } from '@/ui'
import { useDeleteProject } from '../api/useProjectChange'

export function Deletion() {
  const { project, organization, can } = useProject()
  const remove = useDeleteProject(project.id)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (!can('project:delete')) {
    return <NeedsRole doing="delete the project" permission="project:delete" level="project" />
  }
  return (
    <>
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden />}
        onPress={() => setOpen(true)}
        className="self-start"
      >
        Delete project
      </Button>
      <ConfirmDialog
        title={`Delete ${project.name}?`}
        action="Delete project"
        typed={project.name}
        isOpen={isOpen}
        isPending={remove.isPending}
        error={remove.isError ? messageOf(remove.error) : undefined}
        onClose={() => {
          setOpen(false)
          remove.reset()
        }}
        onConfirm={() =>
          remove.mutate(project.name, {
            onSuccess: async () => {
              await navigate({ to: organizationPath(organization.id) })
              await client.invalidateQueries({ queryKey: sessionKey })
              toast('Project deleted', { description: 'Its data is being removed.' })
            },
          })
        }
      >
        All traces, scores, prompts, datasets, keys and settings of the project are deleted. This
        cannot be undone.
      </ConfirmDialog>
    </>
  )
}

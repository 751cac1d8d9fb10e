import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmChange } from '@/shared/forms'
import { NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Button, toast } from '@/shared/ui'
import { useDeleteProject } from '../api/useProjectChange'
import { sessionKey } from '@/shared/api'

export function Deletion() {
  const { project, organization, can } = useProject()
  const remove = useDeleteProject(project.id)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (!can('project:delete')) {
    return <NeedsRole doing="delete the project" permission="project:delete" />
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
      <ConfirmChange
        title={`Delete ${project.name}?`}
        action="Delete project"
        typed={project.name}
        change={remove}
        variables={isOpen ? project.name : undefined}
        onClose={() => setOpen(false)}
        onDone={async () => {
          await navigate({
            to: '/organization/$organizationId',
            params: { organizationId: organization.id },
          })
          await client.invalidateQueries({ queryKey: sessionKey })
          toast('Project deleted', { description: 'Its data is being removed.' })
        }}
      >
        All traces, scores, prompts, datasets, keys and settings of the project are deleted. This
        cannot be undone.
      </ConfirmChange>
    </>
  )
}

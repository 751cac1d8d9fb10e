import { useNavigate } from '@tanstack/react-router'
import type { Organization } from '@/shared/currentUser'
import { useCreateProject } from './api/useCreate'
import { NameDialog } from './NameDialog'

type NewProjectDialogProps = { organization: Organization; isOpen: boolean; onClose: () => void }

/** Creates a project and opens it. */
export function NewProjectDialog({ organization, isOpen, onClose }: NewProjectDialogProps) {
  const create = useCreateProject(organization.id)
  const navigate = useNavigate()
  return (
    <NameDialog
      title={`New project in ${organization.name}`}
      action="Create project"
      maxLength={60}
      isOpen={isOpen}
      onClose={onClose}
      create={create}
      onCreated={(project) =>
        void navigate({ to: '/project/$projectId', params: { projectId: project.id } })
      }
    />
  )
}

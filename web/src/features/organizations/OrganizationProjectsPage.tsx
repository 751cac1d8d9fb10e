import { useNavigate } from '@tanstack/react-router'
import { FolderPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import { NeedsRole, roleLabel } from '@/shared/roles'
import { useOrganization, type Project } from '@/shared/currentUser'
import { QueryTable } from '@/shared/errors'
import type { Column } from '@/shared/table'
import { Button, CopyButton, EmptyState, Identifier, PageHeader } from '@/shared/ui'
import { NewProjectDialog } from './NewProjectDialog'

const columns: Column<Project>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 200,
    grows: true,
    required: true,
    sortable: true,
    cell: (project) => project.name,
  },
  {
    id: 'id',
    header: 'Id',
    width: 260,
    cell: (project) => (
      <span className="flex items-center gap-1">
        <Identifier id={project.id} className="text-text-3" />
        <CopyButton text={project.id} label="Copy id" />
      </span>
    ),
  },
  { id: 'role', header: 'Your role', width: 110, cell: (project) => roleLabel(project.role) },
  {
    id: 'retention',
    header: 'Keeps data',
    width: 110,
    sortable: true,
    value: (project) => project.retentionDays || Number.MAX_SAFE_INTEGER,
    cell: (project) => (project.retentionDays === 0 ? 'Forever' : `${project.retentionDays} days`),
  },
]

/** The projects of an organization. */
export function OrganizationProjectsPage() {
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const open = (project: Project) =>
    void navigate({ to: '/project/$projectId', params: { projectId: project.id } })
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project has its own traces, keys, prompts and settings."
        actions={
          <NeedsRole doing="create projects" permission="projects:create">
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen(true)}>
              New project
            </Button>
          </NeedsRole>
        }
      />
      <QueryTable
        label="Projects"
        columns={columns}
        rows={organization.projects}
        rowId={(project) => project.id}
        onOpen={open}
        empty={
          <EmptyState icon={<FolderPlus aria-hidden />} title="No projects that you can access" />
        }
      />
      <NewProjectDialog
        organization={organization}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

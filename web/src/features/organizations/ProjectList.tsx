import { Link } from '@tanstack/react-router'
import { ChevronRight, Plus, Settings } from 'lucide-react'
import { useState } from 'react'
import { can, type Organization } from '@/shared/currentUser'
import { Badge, Button, buttonClass } from '@/shared/ui'
import { NewProjectDialog } from './NewProjectDialog'

/** An organization with its projects. */
export function ProjectList({ organization }: { organization: Organization }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={organization.name} className="rounded-lg border border-border">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-border bg-surface-1 py-1.5 pr-2 pl-4">
        <h2 className="flex min-w-0 items-center gap-2 font-medium">
          <Link
            to="/organization/$organizationId"
            params={{ organizationId: organization.id }}
            className="truncate hover:underline"
          >
            {organization.name}
          </Link>
          <Badge>{organization.role.toLowerCase()}</Badge>
        </h2>
        <div className="flex items-center gap-1">
          {can(organization, 'projects:create') && (
            <Button size="sm" icon={<Plus aria-hidden />} onPress={() => setOpen(true)}>
              New project
            </Button>
          )}
          <Link
            to="/organization/$organizationId/settings"
            params={{ organizationId: organization.id }}
            className={buttonClass('ghost', 'sm')}
          >
            <Settings aria-hidden />
            Settings
          </Link>
        </div>
      </header>
      {organization.projects.length === 0 ? (
        <p className="px-4 py-3 text-text-3">No projects that you can access.</p>
      ) : (
        <ul>
          {organization.projects.map((project) => (
            <li key={project.id} className="border-b border-border last:border-b-0">
              <Link
                to="/project/$projectId"
                params={{ projectId: project.id }}
                className="flex min-h-10 items-center justify-between gap-3 px-4 py-2 -outline-offset-2 hover:bg-surface-1"
              >
                <span className="min-w-0 truncate">{project.name}</span>
                <span className="flex shrink-0 items-center gap-2 text-sm text-text-3">
                  {project.retentionDays > 0 && `keeps ${project.retentionDays} days`}
                  <ChevronRight aria-hidden className="size-4" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <NewProjectDialog
        organization={organization}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </section>
  )
}

import { Forbidden } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { PageHeader } from '@/shared/ui'
import { ExportTable } from './components/ExportTable'

/** The export files of the project. */
export function ExportsPage() {
  const { project, can } = useProject()
  return (
    <>
      <PageHeader
        title="Exports"
        description="Files created with the Export button of a table or through the API. Each can be downloaded for 24 hours."
      />
      {can('exports:write') ? (
        <ExportTable projectId={project.id} />
      ) : (
        <Forbidden
          doing="export data"
          permission="exports:write"
          level="project"
          role={project.role}
        />
      )}
    </>
  )
}

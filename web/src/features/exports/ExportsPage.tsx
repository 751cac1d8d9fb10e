import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { ExportTable } from './components/ExportTable'
import type { Printer } from './model/request'

/** The export files of the project. The printer knows the language of the query bar. */
export function ExportsPage({ printer }: { printer: Printer }) {
  const { project } = useProject()
  return (
    <GuardedPage
      frame="settings"
      title="Exports"
      description="Files created with the Export button of a table or through the API. Each can be downloaded for 24 hours."
      permission="exports:write"
      doing="export data"
    >
      <ExportTable projectId={project.id} printer={printer} />
    </GuardedPage>
  )
}

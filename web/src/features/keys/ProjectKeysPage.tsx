import { useProject } from '@/shared/currentUser'
import { KeysPage } from './components/KeysPage'

/** The keys with which applications send traces to a project. */
export function ProjectKeysPage() {
  const { project } = useProject()
  return (
    <KeysPage
      owner={{ kind: 'project', id: project.id }}
      description="For applications that send traces to this project and read from it."
    />
  )
}

import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Opener } from './components/Opener'

/** Prompts, models and parameters tried out side by side. */
export function PlaygroundPage() {
  const { project } = useProject()
  return (
    <GuardedPage
      frame="page"
      title="Playground"
      permission="playground:run"
      doing="call models in the playground"
    >
      {/* Another project has another playground. */}
      <Opener key={project.id} projectId={project.id} />
    </GuardedPage>
  )
}

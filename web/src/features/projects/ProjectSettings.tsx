import { Outlet } from '@tanstack/react-router'
import { useProject } from '@/features/session'
import { SettingsLayout } from '@/features/settings'
import { projectPath } from '@/lib/paths'

const pages = [
  { path: '', label: 'General' },
  { path: 'api-keys', label: 'API keys' },
  { path: 'members', label: 'Members' },
  { path: 'models', label: 'Models and prices' },
  { path: 'llm-connections', label: 'LLM connections' },
  { path: 'scores', label: 'Score configs' },
  { path: 'integrations/blobstorage', label: 'Blob storage' },
  { path: 'audit-logs', label: 'Audit log' },
]

/** The frame of a project's settings. */
export function ProjectSettings() {
  const { project } = useProject()
  return (
    <SettingsLayout
      label="Settings of the project"
      base={projectPath(project.id, 'settings')}
      pages={pages}
    >
      <Outlet />
    </SettingsLayout>
  )
}

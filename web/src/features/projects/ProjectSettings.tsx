import { Outlet } from '@tanstack/react-router'
import { useProject } from '@/shared/currentUser'
import { SettingsLayout } from '@/shared/settings'
import { projectPath } from '@/shared/lib/paths'
import { projectSettingsPages } from './model/projectSettingsPages'

/** The frame of a project's settings. */
export function ProjectSettings() {
  const { project } = useProject()
  return (
    <SettingsLayout
      label="Settings of the project"
      base={projectPath(project.id, 'settings')}
      pages={projectSettingsPages}
    >
      <Outlet />
    </SettingsLayout>
  )
}

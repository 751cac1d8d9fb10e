import { Outlet } from '@tanstack/react-router'
import { useProject } from '@/shared/currentUser'
import { SettingsLayout } from '@/shared/settings'
import { projectSettingsPages } from './model/projectSettingsPages'

/** The frame of a project's settings. */
export function ProjectSettings() {
  const { project } = useProject()
  return (
    <SettingsLayout
      label="Project settings"
      params={{ projectId: project.id }}
      pages={projectSettingsPages}
    >
      <Outlet />
    </SettingsLayout>
  )
}

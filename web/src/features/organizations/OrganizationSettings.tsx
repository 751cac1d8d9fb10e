import { Outlet } from '@tanstack/react-router'
import { useOrganization } from '@/shared/currentUser'
import { SettingsLayout } from '@/shared/settings'
import { organizationPath } from '@/shared/lib/paths'

const pages = [
  { path: '', label: 'General' },
  { path: 'members', label: 'Members' },
  { path: 'invitations', label: 'Invitations' },
  { path: 'projects', label: 'Projects' },
  { path: 'api-keys', label: 'API keys' },
  { path: 'audit-logs', label: 'Audit log' },
  { path: 'sso', label: 'SSO and SCIM' },
]

/** The frame of an organization's settings. */
export function OrganizationSettings() {
  const { organization } = useOrganization()
  return (
    <SettingsLayout
      label="Settings of the organization"
      base={organizationPath(organization.id, 'settings')}
      pages={pages}
    >
      <Outlet />
    </SettingsLayout>
  )
}

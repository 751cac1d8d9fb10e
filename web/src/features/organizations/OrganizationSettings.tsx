import { Outlet } from '@tanstack/react-router'
import { useOrganization } from '@/shared/currentUser'
import { SettingsLayout, type SettingsPage } from '@/shared/settings'

const pages = [
  { to: '/organization/$organizationId/settings', label: 'General' },
  { to: '/organization/$organizationId/settings/members', label: 'Members' },
  { to: '/organization/$organizationId/settings/invitations', label: 'Invitations' },
  { to: '/organization/$organizationId/settings/projects', label: 'Projects' },
  { to: '/organization/$organizationId/settings/api-keys', label: 'API keys' },
  { to: '/organization/$organizationId/settings/usage', label: 'Usage' },
  { to: '/organization/$organizationId/settings/audit-logs', label: 'Audit log' },
  { to: '/organization/$organizationId/settings/sso', label: 'SSO and SCIM' },
] as const satisfies readonly SettingsPage[]

/** The frame of an organization's settings. */
export function OrganizationSettings() {
  const { organization } = useOrganization()
  return (
    <SettingsLayout
      label="Organization settings"
      params={{ organizationId: organization.id }}
      pages={pages}
    >
      <Outlet />
    </SettingsLayout>
  )
}

import type { SettingsPage } from '@/shared/settings'

/** The settings pages of a project, in menu order. */
export const projectSettingsPages = [
  { to: '/project/$projectId/settings', label: 'General' },
  { to: '/project/$projectId/settings/api-keys', label: 'API keys' },
  { to: '/project/$projectId/settings/members', label: 'Members' },
  { to: '/project/$projectId/settings/models', label: 'Models and prices' },
  { to: '/project/$projectId/settings/llm-connections', label: 'LLM connections' },
  { to: '/project/$projectId/settings/scores', label: 'Score configs' },
  { to: '/project/$projectId/settings/protected-prompt-labels', label: 'Protected labels' },
  { to: '/project/$projectId/settings/integrations/blobstorage', label: 'Blob storage' },
  { to: '/project/$projectId/settings/exports', label: 'Exports' },
  { to: '/project/$projectId/settings/jobs', label: 'Jobs' },
  { to: '/project/$projectId/settings/usage', label: 'Usage' },
  { to: '/project/$projectId/settings/audit-logs', label: 'Audit log' },
] as const satisfies readonly SettingsPage[]

/** The settings pages of a project, in menu order. */
export const projectSettingsPages = [
  { path: '', label: 'General' },
  { path: 'api-keys', label: 'API keys' },
  { path: 'members', label: 'Members' },
  { path: 'models', label: 'Models and prices' },
  { path: 'llm-connections', label: 'LLM connections' },
  { path: 'scores', label: 'Score configs' },
  { path: 'integrations/blobstorage', label: 'Blob storage' },
  { path: 'exports', label: 'Exports' },
  { path: 'audit-logs', label: 'Audit log' },
]

/** The settings of a project, in the order of their menu. */
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

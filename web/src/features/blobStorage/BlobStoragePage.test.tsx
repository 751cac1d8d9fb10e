import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const stored = {
  id: 'b',
  projectId: 'p-search',
  type: 'S3',
  bucketName: 'exports',
  endpoint: null,
  region: 'eu-central-1',
  accessKeyId: null,
  prefix: '',
  exportFrequency: 'daily',
  enabled: true,
  forcePathStyle: false,
  fileType: 'PARQUET',
  compressed: false,
  exportMode: 'FULL_HISTORY',
  exportStartDate: null,
  exportSource: 'OBSERVATIONS_V2',
  exportFieldGroups: null,
  syncStatus: 'idle',
  progress: null,
  nextSyncAt: null,
  lastSyncAt: null,
  lastError: null,
  lastErrorAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('removing the export does not also save it', async () => {
  const path = '/api/ui/projects/p-search/blob-storage'
  const { user, sent } = renderApp('/project/p-search/settings/integrations/blobstorage', {
    'GET /api/ui/auth/session': signedIn('integrations:read', 'integrations:write'),
    [`GET ${path}`]: stored,
    [`PUT ${path}`]: stored,
    [`DELETE ${path}`]: { message: 'deleted' },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  const dialog = await screen.findByRole('alertdialog')
  const buttons = [...dialog.querySelectorAll('button')]
  await user.click(buttons.find((each) => each.textContent === 'Remove') ?? dialog)
  await screen.findByText('Export removed')
  expect(sent.map(([asked]) => asked)).toEqual([`DELETE ${path}`])
})

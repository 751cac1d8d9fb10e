import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const path = '/api/ui/projects/p-search/blob-storage'
const page = '/project/p-search/settings/integrations/blobstorage'

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
  const { user, sent } = renderApp(page, {
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

test('the checkbox follows a server that disables the export, and what was typed stays', async () => {
  let now: object = stored
  const { user } = renderApp(page, {
    'GET /api/ui/auth/session': signedIn('integrations:read', 'integrations:write'),
    [`GET ${path}`]: () => Response.json(now),
  })
  await user.type(await screen.findByRole('textbox', { name: /^Prefix/ }), 'mine/')
  expect(screen.getByRole('checkbox', { name: 'Enabled' })).toHaveProperty('checked', true)
  now = { ...stored, enabled: false, syncStatus: 'disabled', lastError: 'The bucket is missing.' }
  window.dispatchEvent(new Event('visibilitychange')) // the page asks again
  await screen.findByText('The bucket is missing.')
  expect(screen.getByRole('checkbox', { name: 'Enabled' })).toHaveProperty('checked', false)
  expect(screen.getByRole('textbox', { name: /^Prefix/ })).toHaveProperty('value', 'mine/')
})

test('what was typed stays if the settings cannot be loaded again', async () => {
  let fails = false
  let asked = 0
  const { user } = renderApp(page, {
    'GET /api/ui/auth/session': signedIn('integrations:read', 'integrations:write'),
    [`GET ${path}`]: () => {
      asked++
      return fails ? refusal(400, 'Not now.') : Response.json(stored)
    },
  })
  await user.type(await screen.findByRole('textbox', { name: /^Prefix/ }), 'mine/')
  const before = asked
  fails = true
  window.dispatchEvent(new Event('visibilitychange')) // the page asks again
  await waitFor(() => expect(asked).toBeGreaterThan(before))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByRole('textbox', { name: /^Prefix/ })).toHaveProperty('value', 'mine/')
})

test('what a test or taking over found is shown until other settings are saved', async () => {
  const { user } = renderApp(page, {
    'GET /api/ui/auth/session': signedIn('integrations:read', 'integrations:write'),
    [`GET ${path}`]: stored,
    [`PUT ${path}`]: { ...stored, updatedAt: '2026-01-02T00:00:00.000Z' },
    [`POST ${path}/test`]: { ok: false, message: 'There is no bucket.', durationMs: 1 },
    [`POST ${path}/take-over`]: { ok: true, message: 'This one exports now.', durationMs: 1 },
  })
  await user.click(await screen.findByRole('button', { name: 'Test connection' }))
  await screen.findByText('There is no bucket.')
  await user.click(screen.getByRole('button', { name: 'Take over' }))
  const dialog = await screen.findByRole('alertdialog')
  const buttons = [...dialog.querySelectorAll('button')]
  await user.click(buttons.find((each) => each.textContent === 'Take over') ?? dialog)
  await screen.findByText('This one exports now.')
  expect(screen.queryByText('There is no bucket.')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Test connection' }))
  await screen.findByText('There is no bucket.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Export settings saved')
  await waitFor(() => expect(screen.queryByText('There is no bucket.')).toBeNull())
})

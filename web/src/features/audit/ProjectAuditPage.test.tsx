import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const entry = (id: string, timestamp: string, resourceId: string) => ({
  id,
  timestamp,
  actor: { type: 'user', id: 'u1', name: 'Ada' },
  action: 'update',
  resourceType: 'project',
  resourceId,
  projectId: 'p-search',
  address: null,
  client: null,
  requestId: null,
  before: null,
  after: null,
})

test('a link to an entry that is older than what is loaded opens it', async () => {
  const pages = [
    [entry('e-new', '2026-11-18T12:00:00.000Z', 'r-new')],
    [
      entry('e-same-time', '2026-01-01T00:00:00.000Z', 'r-other'),
      entry('e-old', '2026-01-01T00:00:00.000Z', 'r-old'),
    ],
  ]
  const { user, address } = renderApp(
    '/project/p-search/settings/audit-logs?entry=e-old&entryTime=2026-01-01T00:00:00.000Z',
    {
      'GET /api/ui/auth/session': signedIn('audit:read'),
      'GET /api/ui/projects/p-search/audit-log': () =>
        Response.json({ data: pages.shift() ?? [], meta: { limit: 100 } }),
    },
  )
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('r-old')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(address()).toBe('/project/p-search/settings/audit-logs')
})

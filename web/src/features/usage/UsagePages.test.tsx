import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const limit = (name: string, most: number | null, used: number, isDefault = false) => ({
  name,
  limit: most,
  isDefault,
  used,
  remaining: most === null ? null : Math.max(0, most - used),
  resetsAt: '2026-11-19T00:00:00.000Z',
})
const limits = (level: string, id: string, spansPerDay: number | null) => ({
  level,
  id,
  limits: [
    limit('requestsPerMinute', 600, 3, true),
    limit('requestsPerDay', null, 1234),
    limit('spansPerMinute', null, 0),
    limit('spansPerDay', spansPerDay, 950),
    limit('bytesPerMinute', null, 0),
    limit('bytesPerDay', 2_500_000, 0),
  ],
})
const storage = {
  rows: 12_345,
  bytes: 6_700_000,
  oldestDay: '2026-09-01',
  mediaFiles: 2,
  mediaBytes: 3000,
}
const usage = {
  limits: limits('project', 'p-search', 1000),
  organizationLimits: limits('organization', 'o-acme', null),
  storage,
  measuredAt: '2026-11-18T11:55:00.000Z',
}
const page = '/project/p-search/settings/usage'
const get = 'GET /api/ui/projects/p-search/usage'
const put = 'PUT /api/ui/organizations/o-acme/projects/p-search/limits'

test('a project shows what it stores, keeps and may use', async () => {
  renderApp(page, { 'GET /api/ui/auth/session': signedIn('traces:read'), [get]: usage })
  await screen.findByText('12,345')
  screen.getByText('6.7 MB')
  screen.getByText('2026-09-01')
  screen.getByText('Data is kept forever.')
  const table = within(screen.getByRole('table', { name: 'Limits of the project' }))
  const spans = within(table.getByRole('row', { name: /^Spans per day/ }))
  spans.getByText('950')
  spans.getByText('95%, nearly used up')
  within(table.getByRole('row', { name: /^Requests per minute/ })).getByText('of the instance')
  within(table.getByRole('row', { name: /^Bytes per day/ })).getByText('2.5 MB')
  within(screen.getByRole('table', { name: 'Limits of the organization' })).getAllByText('No limit')
  // Who may not change anything reads it.
  expect(screen.queryByRole('button', { name: 'Change limits' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Change the retention' })).toBeNull()
  screen.getByText(/^Only admins of the organization/)
})

test('admins of the organization change the limits of a project', async () => {
  let refused = true
  const { user, sent } = renderApp(page, {
    'GET /api/ui/auth/session': signedIn('traces:read', 'organization:update', 'project:update'),
    [get]: usage,
    [put]: () => {
      if (!refused) return Response.json(usage.limits)
      refused = false
      return refusal(400, 'Invalid request', { spansPerDay: 'is too large' })
    },
  })
  await screen.findByRole('link', { name: 'Change the retention' })
  await user.click(screen.getByRole('button', { name: 'Change limits' }))
  const spans = await screen.findByRole('textbox', { name: 'Spans per day' })
  expect(spans).toHaveProperty('value', '1000')
  // That of the instance is not set here.
  expect(screen.getByRole('textbox', { name: 'Requests per minute' })).toHaveProperty('value', '')
  await user.clear(spans)
  await user.type(spans, 'many')
  await user.click(screen.getByRole('button', { name: 'Save limits' }))
  await screen.findByText(/^Enter a whole number/)
  expect(sent).toEqual([])
  await user.clear(spans)
  await user.type(spans, '5000')
  await user.click(screen.getByRole('button', { name: 'Save limits' }))
  await screen.findByText('is too large')
  await user.type(spans, '{Backspace}')
  await user.click(screen.getByRole('button', { name: 'Save limits' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const none = {
    requestsPerMinute: null,
    requestsPerDay: null,
    spansPerMinute: null,
    bytesPerMinute: null,
  }
  expect(sent).toEqual([
    [put, { ...none, spansPerDay: 5000, bytesPerDay: 2_500_000 }],
    [put, { ...none, spansPerDay: 500, bytesPerDay: 2_500_000 }],
  ])
})

test('who may not read traces is told so', async () => {
  renderApp(page, { 'GET /api/ui/auth/session': signedIn('queues:annotate') })
  await screen.findByText(/see the usage/)
})

test('an organization shows what its projects store', async () => {
  const { user, address } = renderApp('/organization/o-acme/settings/usage', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/organizations/o-acme/usage': {
      limits: usage.organizationLimits,
      projects: [
        { id: 'p-search', name: 'search', retentionDays: 30, maxDataBytes: 0, ...storage },
        {
          id: 'p-agents',
          name: 'Agents',
          retentionDays: 0,
          maxDataBytes: 0,
          rows: 0,
          bytes: 0,
          oldestDay: null,
          mediaFiles: 0,
          mediaBytes: 0,
        },
      ],
      measuredAt: usage.measuredAt,
    },
    [get]: usage,
  })
  const table = within(await screen.findByRole('grid', { name: 'Storage of projects' }))
  await table.findByText('6.7 MB')
  table.getByText('30 days')
  screen.getByRole('table', { name: 'Limits of the organization' })
  await user.click(table.getByText('search'))
  await waitFor(() => expect(address()).toMatch('/project/p-search/settings/usage'))
})

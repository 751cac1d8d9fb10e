import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const row = (traceId: string) => ({
  id: 'root',
  traceId,
  type: 'SPAN',
  name: traceId,
  traceName: traceId,
  level: 'DEFAULT',
  startTime: '2026-11-16T12:00:00.000Z',
  endTime: null,
  latency: null,
  environment: 'default',
  tags: [],
  inputPreview: null,
  outputPreview: null,
  metadata: {},
  usage: { input: 0, output: 0, total: 0 },
  totalCost: null,
  scores: {},
  totalTokens: 0,
  observations: 1,
  errors: 0,
})

test('what came of a deletion is said although the rows are gone', async () => {
  let stored = ['first', 'second']
  const { user, sent } = renderApp('/project/p-search/traces', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'traces:delete'),
    'GET /api/ui/projects/p-search/views': { views: [] },
    'POST /api/ui/projects/p-search/query/traces': () =>
      Response.json({ rows: stored.map(row), cursor: null, searchedBack: null }),
    'DELETE /api/ui/projects/p-search/traces': () => {
      stored = ['second']
      return Response.json({ message: 'Traces deleted successfully' })
    },
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select row 1' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.type(await screen.findByRole('textbox', { name: /^Type 1 to delete/ }), '1{Enter}')
  await waitFor(() => expect(screen.queryByText('first')).toBeNull())
  await screen.findByText('1 deleted.')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByText('second')
  expect(sent).toContainEqual(['DELETE /api/ui/projects/p-search/traces', { traceIds: ['first'] }])
})

test('the first trace of a project appears by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    let stored: string[] = []
    renderApp('/project/p-search/traces', {
      'GET /api/ui/auth/session': signedIn('traces:read'),
      'GET /api/ui/projects/p-search/views': { views: [] },
      'POST /api/ui/projects/p-search/query/traces': () =>
        Response.json({ rows: stored.map(row), cursor: null, searchedBack: null }),
    })
    await screen.findByText(/^Waiting for the first trace/)
    stored = ['first']
    await vi.advanceTimersByTimeAsync(2_500)
    await screen.findByText('first')
  } finally {
    vi.useRealTimers()
  }
})

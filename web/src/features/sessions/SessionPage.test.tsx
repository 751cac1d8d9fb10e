import { screen } from '@testing-library/react'
import { test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const row = {
  id: 'o1',
  traceId: 't1',
  traceName: 'chat',
  name: 'chat',
  startTime: '2026-11-16T12:00:00.000Z',
  endTime: '2026-11-16T12:00:01.000Z',
  latency: 1,
  totalCost: 0,
  totalTokens: 0,
  errors: 0,
  inputPreview: 'Hello',
  outputPreview: 'Hi',
  scores: {},
}

test('a session whose totals could not be loaded says so, and can be scored', async () => {
  renderApp('/project/p-agents/sessions/s1', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:write'),
    'POST /api/ui/projects/p-agents/query/traces': { rows: [row], cursor: null },
    'POST /api/ui/projects/p-agents/query/sessions': () => refusal(400, 'out of luck'),
  })
  await screen.findByText('Couldn’t load the totals: out of luck')
  screen.getByText('chat')
  screen.getByRole('button', { name: 'Add score' })
})

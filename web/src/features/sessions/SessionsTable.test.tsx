import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const session = (id: string) => ({
  id,
  traces: 1,
  observations: 1,
  errors: 0,
  users: [],
  duration: 1,
  totalTokens: 0,
  totalCost: 0,
  inputCost: 0,
  outputCost: 0,
  inputTokens: 0,
  outputTokens: 0,
  scores: null,
  environment: 'default',
  firstSeen: '2026-11-16T12:00:00.000Z',
  lastSeen: '2026-11-16T12:00:01.000Z',
})

test('a next page that fails says so after the rows, and is loaded when somebody tries again', async () => {
  const later: Response[] = [
    refusal(400, 'out of luck'),
    Response.json({ rows: [session('second')], cursor: null }),
  ]
  const { sent, user } = renderApp('/project/p-agents/sessions', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'POST /api/ui/projects/p-agents/query/sessions': (body) =>
      typeof body === 'object' && body && 'cursor' in body
        ? (later.shift() ?? refusal(500, 'asked too often'))
        : Response.json({ rows: [session('first')], cursor: 'next' }),
    'POST /api/ui/projects/p-agents/query/count': { count: 2 },
  })
  await screen.findByText('Couldn’t load more: out of luck')
  screen.getByText('first')
  // It says how many there are, and not how many of them are loaded as well.
  await screen.findByText('2 sessions')
  expect(screen.queryByText(/rows/)).toBeNull()
  const asked = () => sent.filter(([request]) => request.endsWith('query/sessions')).length
  expect(asked()).toBe(2)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('second')
  expect(asked()).toBe(3)
  expect(screen.queryByText(/Couldn’t load/)).toBeNull()
})

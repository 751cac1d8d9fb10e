import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { wireTree } from './model/testing'

const score = {
  id: 's1',
  projectId: 'p-search',
  name: 'helpful',
  dataType: 'NUMERIC',
  value: 1,
  source: 'ANNOTATION',
  timestamp: '2026-11-16T12:00:00.000Z',
  environment: 'default',
  createdAt: '2026-11-16T12:00:00.000Z',
  updatedAt: '2026-11-16T12:00:00.000Z',
  authorUserId: 'u2',
  subject: { kind: 'trace', id: 't1', traceId: 't1' },
}

test('who gave a score is named in the trace, and then in the list of scores', async () => {
  const { user } = renderApp('/project/p-search/traces/t1?traceTab=scores', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read', 'members:read'),
    'GET /api/ui/projects/p-search/traces/t1/tree': wireTree([{ id: 'a', start: 0, end: 1 }]),
    'GET /api/ui/projects/p-search/v3/scores': { data: [score], meta: { limit: 100 } },
    'GET /api/ui/projects/p-search/v2/metrics': { data: [] },
    'GET /api/ui/projects/p-search/members': {
      members: [{ userId: 'u2', name: 'Grace Hopper', email: 'grace@example.com' }],
    },
  })
  await screen.findByText(/Grace Hopper/)
  await user.click(screen.getByRole('link', { name: 'Scores' }))
  const list = await screen.findByRole('grid', { name: 'Scores' })
  await within(list).findByText('Grace Hopper')
})

test('a score gets the environment of its trace', async () => {
  const tree = wireTree([{ id: 'a', start: 0, end: 1 }])
  const { user, sent } = renderApp('/project/p-search/traces/t1?traceTab=scores', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read', 'scores:write'),
    'GET /api/ui/projects/p-search/traces/t1/tree': {
      ...tree,
      trace: { ...tree.trace, environment: 'production' },
    },
    'GET /api/ui/projects/p-search/v3/scores': { data: [], meta: { limit: 100 } },
    'GET /api/ui/projects/p-search/score-configs': { data: [], meta: { totalPages: 1 } },
    'POST /api/ui/projects/p-search/scores': { id: 's2' },
  })
  await user.click(await screen.findByRole('button', { name: 'Add score' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(await dialog.findByLabelText('Name'), 'quality')
  await user.type(dialog.getByLabelText('Value'), '1')
  await user.click(dialog.getByRole('button', { name: 'Add score' }))
  await screen.findByText('Score added')
  expect(sent.find(([asked]) => asked.endsWith('/scores'))?.[1]).toMatchObject({
    name: 'quality',
    traceId: 't1',
    environment: 'production',
  })
})

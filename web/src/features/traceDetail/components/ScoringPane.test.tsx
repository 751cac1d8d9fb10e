import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { wireTree } from '../model/testing'

const base = '/api/ui/projects/p-search'
const config = (id: string, name: string, more: object) => ({
  id,
  name,
  projectId: 'p-search',
  description: null,
  minValue: null,
  maxValue: null,
  categories: null,
  isArchived: false,
  createdAt: '2026-11-16T12:00:00.000Z',
  updatedAt: '2026-11-16T12:00:00.000Z',
  ...more,
})
const configs = [
  config('c1', 'helpful', { dataType: 'BOOLEAN' }),
  config('c2', 'rating', { dataType: 'NUMERIC', minValue: 0, maxValue: 10 }),
  config('c3', 'old', { dataType: 'BOOLEAN', isArchived: true }),
]
const answers = {
  'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read', 'scores:write'),
  [`GET ${base}/traces/t1/tree`]: wireTree([{ id: 'a', start: 0, end: 1 }]),
  [`GET ${base}/v3/scores`]: { data: [], meta: { limit: 100 } },
  [`GET ${base}/score-configs`]: { data: configs, meta: { totalPages: 1 } },
  [`POST ${base}/scores`]: { id: 's1' },
}
const pane = async () => within(await screen.findByRole('complementary', { name: 'Scoring' }))

test('one key gives a score and goes to the next config, and nothing lies over the text', async () => {
  const { user, sent } = renderApp('/project/p-search/traces/t1', answers)
  await screen.findByRole('button', { name: 'Score (S)' })
  await user.keyboard('s')
  await (await pane()).findByRole('button', { name: /Yes/ })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Yes/ })).toHaveProperty('disabled', false),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  expect((await pane()).queryByText('old')).toBeNull()
  await user.keyboard('2')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.[1]).toMatchObject({
    name: 'helpful',
    configId: 'c1',
    source: 'ANNOTATION',
    value: 0,
    traceId: 't1',
  })
  // The next config is in focus: digits are typed into its field, and Enter stores it.
  await user.keyboard('7{Enter}')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.[1]).toMatchObject({ name: 'rating', value: 7 })
})

test('a score is changed by another key, and taken back', async () => {
  const { user, sent } = renderApp('/project/p-search/traces/t1?scoring=1', {
    ...answers,
    [`DELETE ${base}/scores/x`]: {},
  })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Yes/ })).toHaveProperty('disabled', false),
  )
  await user.keyboard('1')
  await waitFor(() => expect(sent).toHaveLength(1))
  const id = (sent[0]?.[1] as { id: string } | undefined)?.id
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  await user.click(screen.getByRole('button', { name: 'Undo helpful (U)' }))
  await waitFor(() => expect(sent[1]?.[0]).toBe(`DELETE ${base}/scores/${id}`))
})

test('a number out of range is not sent, and is there again after looking elsewhere', async () => {
  const { user, sent } = renderApp('/project/p-search/traces/t1?scoring=1', answers)
  const field = await (await pane()).findByLabelText('Value of rating')
  await waitFor(() => expect(field).toHaveProperty('disabled', false))
  await user.type(field, '11{Enter}')
  await screen.findByText('At most 10.')
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Close scoring (S)' }))
  await user.keyboard('s')
  expect(await (await pane()).findByLabelText('Value of rating')).toHaveProperty('value', '11')
})

test('a score that could not be stored says so', async () => {
  const { user } = renderApp('/project/p-search/traces/t1?scoring=1', {
    ...answers,
    [`POST ${base}/scores`]: () => refusal(409, 'The config was archived.'),
  })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Yes/ })).toHaveProperty('disabled', false),
  )
  await user.keyboard('1')
  await screen.findByText('The config was archived.')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Undo (U)' })).toHaveProperty('disabled', true),
  )
})

test('those who may not score have no panel', async () => {
  renderApp('/project/p-search/traces/t1?scoring=1', {
    ...answers,
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read'),
  })
  await screen.findByRole('tree')
  expect(screen.queryByRole('complementary', { name: 'Scoring' })).toBeNull()
})

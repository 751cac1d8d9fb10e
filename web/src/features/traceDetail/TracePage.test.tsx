import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'
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
    'POST /api/ui/projects/p-search/query/scores': { data: [score], cursor: null },
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
  expect(screen.queryByRole('dialog')).toBeNull()
  const pane = within(await screen.findByRole('complementary', { name: 'Scoring' }))
  await user.type(await pane.findByLabelText('Name'), 'quality')
  await user.type(pane.getByLabelText('Value'), '1')
  await user.click(pane.getByRole('button', { name: 'Add score' }))
  await screen.findByText('Score added')
  expect(sent.find(([asked]) => asked.endsWith('/scores'))?.[1]).toMatchObject({
    name: 'quality',
    traceId: 't1',
    environment: 'production',
  })
})

const base = '/api/ui/projects/p-search'
const tree = wireTree([{ id: 'a', start: 0, end: 1 }])
const none = Object.fromEntries(
  ['output', 'statusMessage', 'metadata', 'modelParameters', 'toolDefinitions', 'toolCalls']
    .concat(['traceInput', 'traceOutput', 'traceMetadata', 'experimentExpectedOutput'])
    .concat(['experimentMetadata', 'experimentItemMetadata'])
    .map((name) => [name, null]),
)
const detail = {
  id: 'a',
  traceId: 't1',
  updatedAt: '2026-11-16T12:00:00.000Z',
  model: null,
  calledToolNames: [],
  tags: [],
  source: {},
  usageDetails: {},
  costDetails: {},
  texts: { ...none, input: 'the beginning' },
  cut: { input: { truncated: true, bytes: 27 } },
}

test('raw data says what is cut, and is copied whole', async () => {
  const { user } = renderApp('/project/p-search/traces/t1?traceTab=raw', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    [`GET ${base}/traces/t1/tree`]: tree,
    [`GET ${base}/observations/a/detail`]: detail,
    [`GET ${base}/observations/a/io/input`]: () => new Response('the beginning, and the end.'),
  })
  await screen.findByText(/^Shortened/)
  await user.click(screen.getByRole('button', { name: 'Copy raw as stored' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(await navigator.clipboard.readText()).toContain('the beginning, and the end.')
  await screen.findByText(/the beginning, and the end\./)
  expect(screen.queryByText(/^Shortened/)).toBeNull()
})

test('an annotator sees a trace in their queues, and no other', async () => {
  const answers = {
    'GET /api/ui/auth/session': signedIn('queues:annotate'),
    [`GET ${base}/traces/t1/tree`]: tree,
    [`GET ${base}/traces/t2/tree`]: () => refusal(403, 'Your role does not allow it'),
    [`GET ${base}/observations/a/detail`]: detail,
  }
  const { unmount } = renderApp('/project/p-search/traces/t1', answers)
  await screen.findByText('the beginning')
  unmount()
  renderApp('/project/p-search/traces/t2', answers)
  await screen.findByText('Your role does not allow this')
})

test('visitors see the log of a published trace, without previews', async () => {
  const asked: string[] = []
  renderApp('/project/p-open/traces/t1?traceTab=log', {
    'GET /api/ui/auth/session': signedOut,
    'GET /api/ui/projects/p-open/traces/t1/tree': tree,
    'POST /api/ui/projects/p-open/query/observations': () => {
      asked.push('query')
      return refusal(401, 'Sign in first.')
    },
  })
  await screen.findByRole('textbox', { name: 'Search the log' })
  await screen.findByText('1 of 1')
  expect(asked).toEqual([])
})

test('visitors are told that files are not published, and none is requested', async () => {
  const file = '@@@langfuseMedia:type=image/png|id=f1|source=bytes@@@'
  const asked: string[] = []
  renderApp('/project/p-open/traces/t1', {
    'GET /api/ui/auth/session': signedOut,
    'GET /api/ui/projects/p-open/traces/t1/tree': tree,
    'GET /api/ui/projects/p-open/observations/a/detail': {
      ...detail,
      texts: { ...none, input: JSON.stringify([{ role: 'user', content: file }]) },
      cut: {},
    },
    'GET /api/ui/projects/p-open/media/f1': () => {
      asked.push('f1')
      return refusal(401, 'Sign in')
    },
  })
  await screen.findByText(/is not available here/)
  expect(asked).toEqual([])
})

test('a tag with a comma stays one tag, and another is added by Enter', async () => {
  const { user, sent } = renderApp('/project/p-search/traces/t1', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'traces:write'),
    [`GET ${base}/traces/t1/tree`]: { ...tree, trace: { ...tree.trace, tags: ['Paris, France'] } },
    [`GET ${base}/observations/a/detail`]: detail,
    [`PATCH ${base}/traces/t1/marks`]: { tags: [] },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }))
  await user.type(await screen.findByLabelText('New tag'), 'late{Enter}')
  const tags = within(screen.getByRole('grid', { name: 'Tags' }))
  expect(tags.getAllByRole('row').map((each) => each.textContent)).toEqual([
    'Paris, France',
    'late',
  ])
  await user.type(screen.getByLabelText('New tag'), 'blue')
  await user.click(screen.getByRole('button', { name: 'Save tags' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.[1]).toEqual({ tags: ['Paris, France', 'blue', 'late'] })
})

test('scores of programs can be changed in the trace, those of evaluators cannot', async () => {
  renderApp('/project/p-search/traces/t1?traceTab=scores', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read', 'scores:write'),
    [`GET ${base}/traces/t1/tree`]: tree,
    [`GET ${base}/v3/scores`]: {
      data: [
        { ...score, source: 'API', authorUserId: null },
        { ...score, id: 's2', name: 'judged', source: 'EVAL', authorUserId: null },
      ],
      meta: { limit: 100 },
    },
  })
  await screen.findByRole('button', { name: 'Edit helpful' })
  expect(screen.queryByRole('button', { name: 'Edit judged' })).toBeNull()
})

test('a score that was not sent is there again after going back, until it is given up', async () => {
  const tree = wireTree([{ id: 'a', start: 0, end: 1 }])
  const { user } = renderApp('/project/p-search/traces/t1?traceTab=scores', {
    'GET /api/ui/auth/session': signedIn(
      'traces:read',
      'traces:write',
      'scores:read',
      'scores:write',
    ),
    'GET /api/ui/projects/p-search/traces/t1/tree': tree,
    'GET /api/ui/projects/p-search/v3/scores': { data: [], meta: { limit: 100 } },
    'GET /api/ui/projects/p-search/score-configs': { data: [], meta: { totalPages: 1 } },
  })
  const score = async () => {
    await user.click(await screen.findByRole('button', { name: 'Score (S)' }))
    return within(await screen.findByRole('complementary', { name: 'Scoring' }))
  }
  await user.type(await (await score()).findByLabelText('Name'), 'quality')
  await user.click(screen.getByRole('button', { name: 'Close scoring (S)' }))
  const again = await score()
  expect(await again.findByLabelText('Name')).toHaveProperty('value', 'quality')
  await user.click(again.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Close scoring (S)' }))
  const fresh = await score()
  expect(await fresh.findByLabelText('Name')).toHaveProperty('value', '')
})

test('tags that were not saved are there again after looking elsewhere', async () => {
  const { user } = renderApp('/project/p-search/traces/t1', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'traces:write'),
    'GET /api/ui/projects/p-search/traces/t1/tree': wireTree([{ id: 'a', start: 0, end: 1 }]),
  })
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }))
  await user.type(await screen.findByLabelText('New tag'), 'a, b')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }))
  expect(await screen.findByLabelText('New tag')).toHaveProperty('value', 'a, b')
})

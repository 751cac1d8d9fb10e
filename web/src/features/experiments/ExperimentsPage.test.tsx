import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const at = '2026-11-01T00:00:00.000Z'

const run = {
  id: 'r1',
  experimentId: 'e1',
  name: 'night',
  datasetId: 'd1',
  datasetName: 'qa',
  connection: 'openai',
  model: 'gpt-4.1-mini',
  prompt: { name: 'greeting', version: 3 },
  state: 'running',
  error: '',
  total: 200,
  done: 35,
  failed: 2,
  cost: 0.5,
  unpriced: 0,
  inputTokens: 1,
  outputTokens: 1,
  asOf: at,
  startedBy: 'Ada',
  createdAt: at,
  startedAt: at,
  finishedAt: null,
}

const answers = (permissions: string[], more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn(...permissions),
  [`POST ${base}/query/experiments`]: { experiments: [], measures: [], isWhole: true },
  [`GET ${base}/v2/datasets`]: { data: [{ id: 'd1', name: 'qa' }], meta: {} },
  [`GET ${base}/datasets/d1/details`]: {
    id: 'd1',
    name: 'qa',
    description: null,
    metadata: null,
    inputSchema: null,
    expectedOutputSchema: null,
    items: 1,
    createdAt: at,
    updatedAt: at,
  },
  [`GET ${base}/experiments`]: { data: [], meta: {} },
  [`GET ${base}/experiment-runs`]: { experiments: [run] },
  [`GET ${base}/llm-models`]: {
    connections: [
      {
        connection: 'openai',
        adapter: 'openai',
        models: ['gpt-4.1-mini'],
        supports: {},
        ranges: {},
      },
    ],
    default: null,
  },
  [`GET ${base}/v2/prompts`]: { data: [{ name: 'greeting' }], meta: { totalPages: 1 } },
  [`GET ${base}/prompts/greeting/versions`]: {
    name: 'greeting',
    type: 'text',
    tags: [],
    newest: 3,
    total: 2,
    labels: { production: 2 },
    protectedLabels: [],
    canMoveProtected: true,
    cursor: null,
    versions: [3, 2].map((version) => ({
      id: `v${version}`,
      version,
      createdAt: at,
      createdBy: null,
      labels: version === 2 ? ['production'] : [],
      commitMessage: null,
      commentCount: 0,
      hash: null,
    })),
  },
  ...more,
})

const member = ['traces:read', 'datasets:read', 'prompts:read', 'playground:run']
const address = '/project/p-search/experiments'
const onDataset = '/project/p-search/datasets/d1/experiments'

test('an experiment that runs says how far it is, and is paused and ended', async () => {
  const { user, sent } = renderApp(
    address,
    answers(member, {
      [`POST ${base}/experiment-runs/r1/pause`]: { ...run, state: 'paused' },
      [`POST ${base}/experiment-runs/r1/cancel`]: () => refusal(409, 'The experiment has ended.'),
    }),
  )
  const runs = within(await screen.findByRole('region', { name: 'Run by the server' }))
  runs.getByText('37 of 200 calls, 2 failed, $0.50')
  expect(runs.getByRole('link', { name: 'night' }).getAttribute('href')).toBe(
    '/project/p-search/experiments/results?baseline=e1',
  )
  await user.click(runs.getByRole('button', { name: 'Pause: night' }))
  await waitFor(() =>
    expect(sent).toContainEqual([`POST ${base}/experiment-runs/r1/pause`, undefined]),
  )
  await user.click(runs.getByRole('button', { name: 'Cancel: night' }))
  await user.click(await screen.findByRole('button', { name: 'End experiment' }))
  await screen.findByText('The experiment has ended.')
})

test('messages are run on a dataset, after an estimate', async () => {
  const { user, sent } = renderApp(
    onDataset,
    answers(member, {
      [`POST ${base}/experiment-runs/estimate`]: {
        items: 200,
        asOf: at,
        experiments: [
          {
            name: 'gpt-4.1-mini - now',
            connection: 'openai',
            model: 'gpt-4.1-mini',
            prompt: null,
            calls: 200,
            inputTokens: 1000,
            outputTokens: 500,
            cost: 0.25,
            problems: [{ message: 'The input of the item has no "q"', items: 3, itemId: 'i1' }],
          },
        ],
      },
      [`POST ${base}/experiment-runs`]: () =>
        Response.json({ experiments: [run] }, { status: 201 }),
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Run experiment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Run experiment' }))
  await user.click(await dialog.findByRole('radio', { name: 'Messages' }))
  await user.click(dialog.getByRole('button', { name: 'Estimate the cost' }))
  await dialog.findByText('$0.25')
  dialog.getByText('The input of the item has no "q": 3 items')
  await user.click(dialog.getByRole('button', { name: 'Run experiment' }))
  await screen.findByText('1 experiment started')
  const [, body] = sent.find(([asked]) => asked === `POST ${base}/experiment-runs`) ?? []
  expect(body).toMatchObject({
    datasetId: 'd1',
    messages: [{ role: 'user', content: '{{input}}' }],
    models: [{ connection: 'openai', model: 'gpt-4.1-mini' }],
    checks: { equal: true, json: false },
  })
})

test('two versions of a prompt are two experiments', async () => {
  const { user, sent } = renderApp(
    onDataset,
    answers(member, {
      [`POST ${base}/experiment-runs`]: () =>
        Response.json({ experiments: [run, run] }, { status: 201 }),
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Run experiment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Run experiment' }))
  await user.type(await dialog.findByRole('combobox', { name: 'Prompt' }), 'greet')
  await user.click(await screen.findByRole('option', { name: 'greeting' }))
  await user.click(await dialog.findByRole('button', { name: /Versions/ }))
  await user.click(await screen.findByRole('option', { name: 'v3' }))
  await user.click(screen.getByRole('option', { name: 'v2 (production)' }))
  await user.keyboard('{Escape}')
  // The list of versions hides what is behind it until it has closed.
  await user.click(await dialog.findByRole('button', { name: 'Run 2 experiments', hidden: true }))
  await screen.findByText('2 experiments started')
  const [, body] = sent.find(([asked]) => asked === `POST ${base}/experiment-runs`) ?? []
  expect(body).toMatchObject({
    prompts: [
      { name: 'greeting', version: 3 },
      { name: 'greeting', version: 2 },
    ],
  })
})

test('what is missing is said beside its field, and nothing is sent', async () => {
  const { user, sent } = renderApp(onDataset, answers(member))
  await user.click(await screen.findByRole('button', { name: 'Run experiment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Run experiment' }))
  await user.click(await dialog.findByRole('button', { name: 'Run experiment' }))
  await dialog.findByText('Choose a prompt')
  expect(sent.some(([asked]) => asked === `POST ${base}/experiment-runs`)).toBe(false)
})

test('who may not call models is offered nothing of it', async () => {
  renderApp(onDataset, answers(['traces:read', 'datasets:read']))
  await screen.findByText('No runs yet')
  expect(screen.queryByRole('button', { name: 'Run experiment' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Run by the server' })).toBeNull()
})

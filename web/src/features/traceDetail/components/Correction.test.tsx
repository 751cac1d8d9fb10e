import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { wireTree } from '../model/testing'

const base = '/api/ui/projects/p-search'
const none = Object.fromEntries(
  ['statusMessage', 'metadata', 'modelParameters', 'toolDefinitions', 'toolCalls', 'traceInput']
    .concat(['traceOutput', 'traceMetadata', 'experimentExpectedOutput', 'experimentMetadata'])
    .concat(['experimentItemMetadata'])
    .map((name) => [name, null]),
)
const tree = wireTree([{ id: 'a', start: 0, end: 1 }])
const served = (scores: number) => ({
  [`GET ${base}/traces/t1/tree`]: { ...tree, columns: { ...tree.columns, scores: [scores] } },
  [`GET ${base}/observations/a/detail`]: {
    id: 'a',
    traceId: 't1',
    environment: 'production',
    updatedAt: '2026-11-16T12:00:00.000Z',
    startTime: '2026-11-16T12:00:00.000Z',
    model: null,
    promptName: null,
    version: null,
    experiment: null,
    calledToolNames: [],
    tags: [],
    source: {},
    usageDetails: {},
    costDetails: {},
    texts: { ...none, input: 'capital of Australia?', output: '"Sydney"' },
    cut: {},
  },
})
const stored = {
  id: 's1',
  projectId: 'p-search',
  name: 'output',
  dataType: 'CORRECTION',
  value: 'Canberra',
  source: 'ANNOTATION',
  timestamp: '2026-11-16T12:00:00.000Z',
  environment: 'production',
  comment: null,
  subject: { kind: 'observation', id: 'a', traceId: 't1' },
}

test('an output is corrected beside its text, with what differs', async () => {
  const { user, sent } = renderApp('/project/p-search/traces/t1?observation=a', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read', 'scores:write'),
    ...served(0),
    [`POST ${base}/scores`]: { id: 's1' },
  })
  await user.click(await screen.findByRole('button', { name: 'Correct output' }))
  const field = await screen.findByRole('textbox', { name: 'Corrected output' })
  expect(field).toHaveProperty('value', 'Sydney')
  await user.clear(field)
  await user.type(field, 'Canberra')
  const difference = await screen.findByRole('region', { name: 'Difference: Corrected output' })
  within(difference).getByText('Canberra')
  await user.click(screen.getByRole('button', { name: 'Save correction' }))
  await screen.findByText('Correction saved')
  expect(sent).toContainEqual([
    `POST ${base}/scores`,
    {
      name: 'output',
      dataType: 'CORRECTION',
      value: 'Canberra',
      source: 'ANNOTATION',
      traceId: 't1',
      observationId: 'a',
      environment: 'production',
    },
  ])
})

test('a correction is shown to those who may read scores', async () => {
  renderApp('/project/p-search/traces/t1?observation=a', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'scores:read'),
    ...served(1),
    [`GET ${base}/v3/scores`]: { data: [stored], meta: { limit: 100 } },
  })
  const difference = await screen.findByRole('region', { name: 'Difference: Corrected output' })
  within(difference).getByText('Canberra')
  within(difference).getByText('Sydney')
  expect(screen.queryByRole('button', { name: 'Edit the correction' })).toBeNull()
})

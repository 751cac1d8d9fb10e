import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { wireTree } from './model/testing'

const base = '/api/ui/projects/p-search'
const row = {
  id: 'a',
  traceId: 't1',
  type: 'SPAN',
  name: 'support',
  traceName: 'support',
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
}
const served = {
  'GET /api/ui/auth/session': signedIn('traces:read'),
  [`GET ${base}/views`]: { views: [] },
  [`POST ${base}/query/traces`]: { rows: [row], cursor: null, searchedBack: null },
  [`GET ${base}/traces/t1/tree`]: wireTree([
    { id: 'a', start: 0, end: 9 },
    { id: 'b', parent: 'a', start: 1, end: 2 },
    { id: 'c', parent: 'a', start: 3, end: 4 },
  ]),
  [`GET ${base}/traces/t1/find`]: {
    hits: [{ observationId: 'c', field: 'output', count: 1, excerpt: 'a refund' }],
    total: 1,
    partial: false,
  },
}

test('a row found by its text opens its trace at the observation with that text', async () => {
  const { user, address } = renderApp('/project/p-search/traces?search=refund', served)
  await user.click(await screen.findByText('support'))
  await screen.findByRole('heading', { level: 2, name: 'c' })
  expect(address()).toMatch(/[?&]observation=c(&|$)/)
  const field = screen.getByRole('textbox', { name: 'Find in the trace' })
  expect(field).toHaveProperty('value', 'refund')
  // The keys stay with the table.
  expect(document.activeElement).not.toBe(field)
})

test('a link that names an observation leads there, whatever it searches for', async () => {
  const { address } = renderApp('/project/p-search/traces/t1?find=refund&observation=b', served)
  await screen.findByText(/1 match in 1 observation/)
  await screen.findByRole('heading', { level: 2, name: 'b' })
  expect(address()).toMatch(/[?&]observation=b(&|$)/)
})

test('a row that says where its text is shows it, and opens its trace there', async () => {
  const found = {
    observationId: 'b',
    name: 'answer',
    type: 'GENERATION',
    field: 'output',
    before: '…you get a ',
    text: 'Refund',
    after: ' <b>within</b> a week',
  }
  const { user, address } = renderApp('/project/p-search/traces?search=refund', {
    ...served,
    [`POST ${base}/query/traces`]: { rows: [{ ...row, found }], cursor: null, searchedBack: null },
  })
  const mark = await screen.findByText('Refund')
  expect(mark.tagName).toBe('MARK')
  expect(mark.closest('[role=gridcell]')?.textContent).toBe(
    'output of answer…you get a Refund <b>within</b> a week',
  )
  expect(mark.closest('a')?.getAttribute('href')).toMatch(/\/traces\/t1\?.*observation=b/)
  await user.click(mark)
  await screen.findByRole('heading', { level: 2, name: 'b' })
  expect(address()).toMatch(/[?&]observation=b(&|$)/)
})

test('a list that nothing is searched in has no such column', async () => {
  renderApp('/project/p-search/traces', served)
  await screen.findByText('support')
  expect(screen.queryByRole('columnheader', { name: 'Found in' })).toBeNull()
})

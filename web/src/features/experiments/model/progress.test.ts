import { expect, test } from 'vitest'
import { changesOf, progressText, shownRuns } from './progress'
import type { ServerRun } from '../api/useRuns'

const run: ServerRun = {
  id: 'r',
  experimentId: 'e',
  name: 'night',
  datasetId: 'd',
  datasetName: 'qa',
  connection: 'openai',
  model: 'm',
  prompt: null,
  state: 'running',
  error: '',
  total: 200,
  done: 35,
  failed: 2,
  cost: 0.5,
  unpriced: 0,
  inputTokens: 1,
  outputTokens: 1,
  asOf: '2026-11-01T00:00:00.000Z',
  startedBy: 'Ada',
  createdAt: '2026-11-01T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
}

test('how far a run is, and what it has cost', () => {
  expect(progressText(run)).toBe('37 of 200 calls, 2 failed, $0.50')
  expect(progressText({ ...run, done: 0, failed: 0 })).toBe('0 of 200 calls')
  expect(progressText({ ...run, total: 1, done: 1, failed: 0 })).toBe('1 call, $0.50')
  expect(progressText({ ...run, unpriced: 37 })).toBe('37 of 200 calls, 2 failed, cost unknown')
  expect(progressText({ ...run, unpriced: 1 })).toMatch(/and 1 call without a price$/)
})

test('what can be done in each state', () => {
  expect(changesOf(run)).toEqual(['pause', 'cancel'])
  expect(changesOf({ state: 'paused', failed: 2 })).toEqual(['resume', 'retry', 'cancel'])
  expect(changesOf({ state: 'done', failed: 2 })).toEqual(['retry'])
  expect(changesOf({ state: 'done', failed: 0 })).toEqual([])
  expect(changesOf({ state: 'cancelled', failed: 2 })).toEqual([])
})

test('all that have not ended are shown, and the newest three of the others', () => {
  const ended = (id: string): ServerRun => ({ ...run, id, state: 'done' })
  const runs = [ended('1'), ended('2'), ended('3'), ended('4'), { ...run, id: '5' }]
  expect(shownRuns(runs, false).map(({ id }) => id)).toEqual(['1', '2', '3', '5'])
  expect(shownRuns(runs, true)).toHaveLength(5)
})

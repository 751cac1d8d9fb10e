import { expect, test } from 'vitest'
import { partsOf } from '@/shared/lib/paths'
import { resolveAddress, type Search } from './resolve'

const resolve = (path: string, search: Search = {}) => resolveAddress(partsOf(path), search)

test.each([
  ['evals/rules', { from: 'evaluation-rules' }],
  ['evals/e1', { from: 'evaluator', id: 'e1' }],
  ['dashboards/x', { from: 'dashboard', id: 'x' }],
])('%s has its data', (path, source) => {
  expect(resolve(path)).toMatchObject({ kind: 'named', source })
})

test.each([
  ['prompts/a%2Fb/metrics', { path: 'prompts/a%2Fb', search: { tab: 'metrics' } }],
  ['datasets/d%2Fe', { path: 'datasets/d%2Fe/items' }],
  ['datasets/d/runs/r%231', { path: 'experiments/results', search: { baseline: 'r#1' } }],
  ['datasets/d/items/i/runs', { path: 'datasets/d/items/i' }],
  ['datasets/d/runs', { path: 'datasets/d/experiments' }],
  ['models', { path: 'settings/models' }],
  ['models/m1', { path: 'settings/models/m1' }],
  ['monitors/a/edit', { path: 'alerts/a/edit' }],
  ['settings/integrations', { path: 'settings/integrations/blobstorage' }],
  ['settings/retention', { path: 'settings' }],
])('%s leads elsewhere', (path, expected) => {
  expect(resolve(path)).toEqual({ kind: 'redirect', ...expected })
})

test('runs that are compared become a baseline and comparisons', () => {
  expect(resolve('datasets/d/compare', { runs: ['a', 'b', 'c'] })).toEqual({
    kind: 'redirect',
    path: 'experiments/results',
    search: { baseline: 'a', c: ['b', 'c'] },
  })
  expect(resolve('datasets/d/compare')).toMatchObject({ path: 'experiments' })
})

test.each(['nothing', 'constructor', 'traces/a/b', 'settings/what', ''])(
  '%s is no address',
  (path) => {
    expect(resolve(path)).toBeUndefined()
  },
)

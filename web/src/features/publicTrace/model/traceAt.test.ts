import { expect, test } from 'vitest'
import { traceAt } from './traceAt'

test.each([
  ['/project/p/traces/t', { projectId: 'p', traceId: 't' }],
  ['/project/p%2F1/traces/a%20b', { projectId: 'p/1', traceId: 'a b' }],
  ['/project/p/traces/compare', { projectId: 'p', traceId: 'compare' }],
  ['/project/p/traces', undefined],
  ['/project/p/traces/t/more', undefined],
  ['/project/p/sessions/t', undefined],
  ['/', undefined],
])('%s', (path, want) => {
  expect(traceAt(path)).toEqual(want)
})

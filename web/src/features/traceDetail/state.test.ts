import { expect, test } from 'vitest'
import { toTraceSearch, toTraceState } from './state'

test('what the address says is shown; what it does not know counts as nothing', () => {
  expect(
    toTraceState({ observation: 'o1', view: 'timeline', traceTab: 'log', timestamp: 'whatever' }),
  ).toEqual({ observation: 'o1', view: 'timeline', tab: 'log', find: undefined })
  expect(toTraceState({ observation: '', view: 'x', traceTab: ['a'], find: ['b'] })).toEqual({
    observation: undefined,
    view: 'tree',
    tab: 'preview',
    find: undefined,
  })
})

test('what is as at first is not written', () => {
  expect(toTraceSearch({ view: 'tree', tab: 'preview', observation: undefined })).toEqual({
    view: undefined,
    traceTab: undefined,
    observation: undefined,
    timestamp: undefined,
  })
  expect(toTraceSearch({ tab: 'scores' })).toEqual({ traceTab: 'scores' })
})

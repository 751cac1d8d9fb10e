import { expect, test } from 'vitest'
import { decodeComparing, encodeComparing, selectionsOf } from './compare'

const all = { from: '2026-11-16T00:00:00.000Z', environment: ['a'], search: 'x', filter: [] }
const range = {
  kind: 'between',
  from: new Date('2026-11-16T01:00:00.000Z'),
  to: new Date('2026-11-16T02:00:00.000Z'),
} as const

test('what is encoded is decoded', () => {
  for (const comparing of [{ kind: 'query' }, { kind: 'time', range }] as const)
    expect(decodeComparing(encodeComparing(comparing))).toEqual(comparing)
  for (const text of [undefined, '', '24h', 'nonsense'])
    expect(decodeComparing(text)).toBeUndefined()
})

test('a part of the time is compared with all of it', () => {
  expect(selectionsOf({ kind: 'time', range }, all)).toEqual({
    selection: { ...all, from: '2026-11-16T01:00:00.000Z', to: '2026-11-16T02:00:00.000Z' },
    baseline: all,
  })
})

test('a query is compared with everything in its range', () => {
  expect(selectionsOf({ kind: 'query' }, all)).toEqual({
    selection: all,
    baseline: { from: all.from, environment: ['a'] },
  })
})

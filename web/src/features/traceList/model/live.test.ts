import { expect, test } from 'vitest'
import { mostFresh, nothingYet, reduceLive, retryDelay, tailParameters, withFresh } from './live'
import type { Row } from './rows'

const row = (traceId: string, name = 'step') => ({ traceId, id: 'root', name }) as Row
const rows = (skipped: number, ...list: Row[]) =>
  ({ type: 'rows', rows: list, skipped, table: 'traces' }) as const

test('rows that come again stay where they are', () => {
  const first = reduceLive(nothingYet, rows(0, row('b'), row('a')))
  const second = reduceLive(first, rows(0, row('c'), row('a', 'grown')))
  expect(second.fresh.map(({ traceId, name }) => `${traceId} ${name}`)).toEqual([
    'c step',
    'b step',
    'a grown',
  ])
  expect(second.skipped).toBe(0)
  expect(reduceLive(second, { type: 'shown' }).fresh).toEqual([])
})

test('what waits is bounded, and the rest is counted', () => {
  let live = nothingYet
  for (let n = 0; n < 10; n++)
    live = reduceLive(live, rows(5, ...Array.from({ length: 100 }, (_, i) => row(`${n}-${i}`))))
  expect(live.fresh).toHaveLength(mostFresh)
  expect(live.fresh[0]?.traceId).toBe('9-0')
  expect(live.skipped).toBe(10 * 5 + 1000 - mostFresh)
  expect(reduceLive(nothingYet, { type: 'gap' }).skipped).toBe(1)
})

test('rows that are loaded again have what had come until they were asked for', () => {
  const waiting = reduceLive(nothingYet, rows(2, row('a'), row('b')))
  const asked = reduceLive(waiting, { type: 'asked' })
  const meanwhile = reduceLive(asked, rows(1, row('c'), row('b', 'grown')))
  const answered = reduceLive(meanwhile, { type: 'answered' })
  expect(answered.fresh.map(({ traceId }) => traceId)).toEqual(['c', 'b'])
  expect(answered.skipped).toBe(1)
  expect(reduceLive(answered, { type: 'answered' })).toBe(answered)
})

test('rows that streamed in stay above, whatever is loaded, until all rows are loaded again', () => {
  const come = reduceLive(nothingYet, rows(0, row('late'), row('new')))
  const live = reduceLive(
    reduceLive(come, { type: 'streamed', rows: come.fresh }),
    rows(0, row('waiting'), row('late', 'grown')),
  )
  const shown = (now: typeof live, ...loaded: string[]) => {
    const all = withFresh(
      'traces',
      loaded.map((id) => row(id)),
      now.fresh,
      now.streamed,
    )
    return Object.values(all).map((list) => list.map(({ traceId, name }) => `${traceId} ${name}`))
  }
  const above = ['late grown', 'new step']
  expect(shown(live, 'a')).toEqual([above, ['a step'], ['waiting step']])
  // A trace that began long ago is on a later page as well.
  expect(shown(live, 'a', 'late')).toEqual([above, ['a step'], ['waiting step']])
  const asked = reduceLive(live, { type: 'asked' })
  const answered = reduceLive(asked, { type: 'answered' })
  expect(shown(answered, 'waiting', 'new', 'a', 'late')[1]).toHaveLength(4)
  const again = reduceLive(answered, rows(0, row('late', 'grown more')))
  expect(shown(again, 'a', 'late')).toEqual([[], ['a step', 'late grown more'], []])
})

test('rows that wait do not push out those that streamed in', () => {
  const come = reduceLive(nothingYet, rows(0, row('streamed')))
  const many = rows(0, ...Array.from({ length: mostFresh + 1 }, (_, at) => row(`${at}`)))
  const live = reduceLive(reduceLive(come, { type: 'streamed', rows: come.fresh }), many)
  expect(live.fresh.at(-1)?.traceId).toBe('streamed')
  expect(live).toMatchObject({ fresh: { length: mostFresh + 1 }, skipped: 1 })
  // All of them together are limited to that number.
  const all = reduceLive(live, { type: 'streamed', rows: live.fresh })
  expect(all).toMatchObject({ fresh: { length: mostFresh }, skipped: 2 })
})

test('rows that are shown already are as they are now, and not new', () => {
  const { rows: shown, waiting } = withFresh(
    'traces',
    [row('a'), row('b')],
    [row('c'), row('b', 'grown')],
    new Set(),
  )
  expect(shown.map(({ name }) => name)).toEqual(['step', 'grown'])
  expect(waiting.map(({ traceId }) => traceId)).toEqual(['c'])
  const other = { ...row('a'), id: 'other' }
  expect(withFresh('observations', [row('a')], [other], new Set()).waiting).toEqual([other])
})

test('waits get longer, up to half a minute', () => {
  expect([0, 1, 2, 3].map((failures) => retryDelay(failures, 1))).toEqual([1, 2, 4, 8])
  expect(retryDelay(100, 1)).toBe(30)
  expect(retryDelay(3, 0)).toBe(4)
})

test('a tail selects as the list does', () => {
  const parameters = tailParameters(
    'observations',
    {
      from: '2026-01-01T00:00:00Z',
      filter: [{ type: 'string', column: 'name', operator: '=', value: 'a&b' }],
      search: 'two words',
      environment: ['a', 'b'],
    },
    { scores: true, metadataKeys: ['x'] },
  )
  expect(parameters.toString()).toBe(
    'kind=observations&limit=100&filter=%5B%7B%22type%22%3A%22string%22%2C%22column%22%3A%22name%22%2C%22operator%22%3A%22%3D%22%2C%22value%22%3A%22a%26b%22%7D%5D' +
      '&search=two+words&environment=a&environment=b&scores=true&metadataKey=x',
  )
})

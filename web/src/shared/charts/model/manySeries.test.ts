import { expect, test } from 'vitest'
import { barAt, between, stacked, toned } from './manySeries'

const series = (label: string, ...values: (number | null)[]) => ({ label, values })

test('the largest series come first, each with its colour', () => {
  expect(toned([series('a', 1), series('b', 5)], true)).toEqual([
    { label: 'b', values: [5], tone: 'series-1' },
    { label: 'a', values: [1], tone: 'series-2' },
  ])
})

test('more series than colours are added up, or left out where a sum makes no sense', () => {
  const many = Array.from({ length: 20 }, (_, at) =>
    series(`s${at}`, 100 - at, at === 19 ? 1 : null),
  )
  const added = toned(many, true)
  expect(added).toHaveLength(8)
  expect(added.at(-1)).toEqual({
    label: 'Other',
    tone: 'muted',
    values: [many.slice(7).reduce((sum, { values }) => sum + (values[0] ?? 0), 0), 1],
  })
  expect(toned(many, false).map(({ label }) => label)).toEqual(
    many.slice(0, 8).map(({ label }) => label),
  )
})

test('what is added up has a name of its own', () => {
  const many = Array.from({ length: 10 }, (_, at) => series(`s${at}`, 100 - at))
  const added = toned([...many, series('Other', 500)], true)
  expect(added[0]?.label).toBe('Other')
  expect(added.at(-1)?.label).toBe('All other')
})

test('bars stand on each other', () => {
  expect(stacked([series('a', 1, null, -2), series('b', 2, 3, 4)], 3)).toEqual([
    [
      [0, 1],
      [0, 0],
      [0, 0],
    ],
    [
      [1, 3],
      [0, 3],
      [0, 4],
    ],
  ])
})

test('a selection has an order, whichever way it was made', () => {
  expect(between(5, 2)).toEqual({ first: 2, last: 5 })
})

test('what is left besides the others comes last, however much it is', () => {
  const rest = { ...series('rest', 9), isRest: true }
  expect(toned([rest, series('a', 1), series('b', 5)], true)).toEqual([
    { label: 'b', values: [5], tone: 'series-1' },
    { label: 'a', values: [1], tone: 'series-2' },
    { label: 'rest', values: [9], tone: 'muted' },
  ])
})

test('a value is looked for in the bars of one bucket', () => {
  const bars = stacked([series('a', 1, 2), series('b', 3, 0)], 2)
  expect([0.5, 1.5, 4, 4.1].map((value) => barAt(bars, 0, value))).toEqual([0, 1, 1, undefined])
  expect(barAt(bars, 1, 2.5)).toBeUndefined()
})

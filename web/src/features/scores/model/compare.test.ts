import { expect, test } from 'vitest'
import { compareScores, decodeCell } from './compare'

const points = (values: (number | string)[]) =>
  values.map((value, at) => ({
    id: `${at}`,
    at,
    value,
    subject: { kind: 'trace' as const, id: `t${at}` },
  }))

test('two numbers have coefficients and a heat map', () => {
  const found = compareScores(
    { points: points([1, 2, 3]), dataType: 'NUMERIC' },
    { points: points([2, 4, 6]), dataType: 'NUMERIC' },
  )
  expect(found.numbers).toEqual({ pearson: 1, spearman: 1, difference: 2 })
  expect(found.agreement).toBeUndefined()
  expect(found.counts).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ])
})

test('two booleans have both answers, whatever was given, and κ', () => {
  const found = compareScores(
    { points: points(['Yes', 'Yes', 'Yes']), dataType: 'BOOLEAN' },
    { points: points(['Yes', 'No', 'Yes']), dataType: 'BOOLEAN' },
  )
  expect(found.rows.labels).toEqual(['No', 'Yes'])
  expect(found.counts).toEqual([
    [0, 0],
    [1, 2],
  ])
  expect(found.agreement?.share).toBeCloseTo(2 / 3)
  expect(found.agreement?.kappa).toBeCloseTo(0)
})

test('categories of either are in both, in the same order', () => {
  const found = compareScores(
    { points: points(['good', 'bad']), dataType: 'CATEGORICAL' },
    { points: points(['good', 'fair']), dataType: 'CATEGORICAL' },
  )
  expect(found.rows.labels).toEqual(['bad', 'fair', 'good'])
  expect(found.columns.labels).toEqual(found.rows.labels)
  expect(found.pairs.map(({ row, column }) => [row, column])).toEqual([
    [2, 2],
    [0, 1],
  ])
})

test('a number and a category have a table and no coefficient', () => {
  const found = compareScores(
    { points: points([1, 2]), dataType: 'NUMERIC' },
    { points: points(['a', 'a']), dataType: 'CATEGORICAL' },
  )
  expect(found.counts).toEqual([[1], [1]])
  expect(found.agreement).toBeUndefined()
  expect(found.numbers).toBeUndefined()
})

test('a category and a boolean have a table and no agreement, even with the same words', () => {
  const found = compareScores(
    { points: points(['good', 'Yes', 'good']), dataType: 'CATEGORICAL' },
    { points: points(['Yes', 'Yes', 'No']), dataType: 'BOOLEAN' },
  )
  expect(found.rows.labels).toEqual(['good', 'Yes'])
  expect(found.columns.labels).toEqual(['No', 'Yes'])
  expect(found.counts).toEqual([
    [1, 1],
    [0, 1],
  ])
  expect(found.agreement).toBeUndefined()
})

test('two scales without a common category cannot agree', () => {
  const found = compareScores(
    { points: points(['good', 'bad']), dataType: 'CATEGORICAL' },
    { points: points(['short', 'long']), dataType: 'CATEGORICAL' },
  )
  expect(found.rows.labels).toEqual(['bad', 'good'])
  expect(found.columns.labels).toEqual(['long', 'short'])
  expect(found.agreement).toBeUndefined()
})

test('two booleans that always differ are on one scale', () => {
  const found = compareScores(
    { points: points(['Yes', 'Yes']), dataType: 'BOOLEAN' },
    { points: points(['No', 'No']), dataType: 'BOOLEAN' },
  )
  expect(found.agreement?.share).toBe(0)
})

test('cells come from addresses', () => {
  expect(decodeCell('2.10')).toEqual({ row: 2, column: 10 })
  for (const text of [undefined, '', '2', 'a.b', '1.2.3']) expect(decodeCell(text)).toBeUndefined()
})

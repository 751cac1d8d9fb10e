import { expect, test } from 'vitest'
import {
  agreement,
  crossTable,
  meanAbsoluteDifference,
  pearson,
  quantile,
  ranks,
  spearman,
  summarize,
  type Pair,
} from './statistics'

test('a summary has the usual figures', () => {
  // The textbook example: mean 5, sum of squares 32.
  const summary = summarize([2, 4, 4, 4, 5, 5, 7, 9])
  expect(summary).toMatchObject({ count: 8, mean: 5, least: 2, median: 4.5, greatest: 9 })
  expect(summary?.deviation).toBeCloseTo(Math.sqrt(32 / 7), 12)
})

test('nothing has no summary, and one value no deviation', () => {
  expect(summarize([])).toBeUndefined()
  expect(summarize([3])).toEqual({
    count: 1,
    mean: 3,
    deviation: undefined,
    least: 3,
    median: 3,
    greatest: 3,
  })
})

test.each([
  [0, 1],
  [0.5, 2.5],
  [0.25, 1.75],
  [1, 4],
])('the quantile %d of 1 to 4', (share, value) => {
  expect(quantile([1, 2, 3, 4], share)).toBe(value)
})

// Heights and weights with a known coefficient: Σxy = 6, Σx² = 10, Σy² = 6 around the means.
const linked: Pair<number>[] = [
  [1, 2],
  [2, 4],
  [3, 5],
  [4, 4],
  [5, 5],
]

test("Pearson's coefficient", () => {
  expect(pearson(linked)).toBeCloseTo(6 / Math.sqrt(60), 12)
  expect(pearson([[1, 3], [2, 2], [3, 1]])).toBe(-1) // prettier-ignore
  expect(pearson([[1, 1], [1, 2], [1, 3]])).toBeUndefined() // prettier-ignore
  expect(pearson([[0.1, 0.2], [0.1, 0.4], [0.1, 0.7]])).toBeUndefined() // prettier-ignore
  expect(pearson([[0.2, 0.1], [0.4, 0.1], [0.7, 0.1]])).toBeUndefined() // prettier-ignore
  expect(pearson([[1, 1], [2, 2]])).toBeUndefined() // prettier-ignore
  expect(pearson([[1, 1]])).toBeUndefined() // prettier-ignore
})

test('equal values share the mean of their ranks', () => {
  expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1])
})

test("Spearman's coefficient sees order, not distance", () => {
  expect(spearman([[1, 1], [2, 10], [3, 1000]])).toBe(1) // prettier-ignore
  // Ranks of the second: 1, 2.5, 4.5, 2.5, 4.5.
  expect(spearman(linked)).toBeCloseTo(7 / Math.sqrt(10 * 9), 12)
})

test('the mean distance of pairs', () => {
  expect(meanAbsoluteDifference([[1, 3], [5, 4]])).toBe(1.5) // prettier-ignore
  expect(meanAbsoluteDifference([])).toBeUndefined()
})

test("Cohen's κ of the textbook's grant proposals", () => {
  // 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: agreement 0.7, by chance 0.5.
  const found = agreement([
    [20, 5],
    [10, 15],
  ])
  expect(found?.share).toBeCloseTo(0.7, 12)
  expect(found?.kappa).toBeCloseTo(0.4, 12)
})

test('κ is nothing where chance explains all, and below zero where both disagree', () => {
  expect(agreement([[7]])).toEqual({ share: 1, kappa: undefined })
  expect(agreement([[0, 5], [5, 0]])).toEqual({ share: 0, kappa: -1 }) // prettier-ignore
  expect(agreement([[0]])).toBeUndefined()
})

test('pairs are counted by row and column; what is outside is left out', () => {
  const pairs: Pair<number>[] = [
    [0, 1],
    [0, 1],
    [1, 0],
    [5, 0],
  ]
  expect(crossTable(pairs, 2, 2)).toEqual([
    [0, 2],
    [1, 0],
  ])
})

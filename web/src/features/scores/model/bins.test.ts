import { expect, test } from 'vitest'
import { categoryBins, countPlaces, numberBins, shortNumber } from './bins'

test('few numbers have a place each', () => {
  const bins = numberBins([1, 0, 1, 0.5])
  expect(bins.labels).toEqual(['0', '0.5', '1'])
  expect(countPlaces([1, 0, 1, 0.5], bins)).toEqual([1, 1, 2])
})

test('many numbers share round ranges, and none is lost', () => {
  const values = Array.from({ length: 101 }, (_, at) => at / 100)
  const bins = numberBins(values)
  expect(bins.labels[0]).toBe('0 – 0.1')
  expect(bins.labels.at(-1)).toBe('0.9 – 1')
  const counts = countPlaces(values, bins)
  expect(counts.reduce((a, b) => a + b)).toBe(101)
  // The greatest value is in the last range.
  expect(bins.placeOf(1)).toBe(9)
  expect(bins.placeOf(7)).toBe(-1)
})

test('ranges below zero begin at round numbers as well', () => {
  const values = Array.from({ length: 41 }, (_, at) => -10 + at / 2)
  const bins = numberBins(values, 4)
  expect(bins.labels).toEqual(['-10 – -5', '-5 – 0', '0 – 5', '5 – 10'])
  expect(countPlaces(values, bins).reduce((a, b) => a + b)).toBe(41)
})

test('categories are in their order; too many become others', () => {
  expect(categoryBins(['b', 'a', 'b']).labels).toEqual(['a', 'b'])
  const many = Array.from({ length: 30 }, (_, at) => `c${at}`)
  const bins = categoryBins([...many, 'c7'])
  expect(bins.labels).toHaveLength(20)
  expect(bins.labels.at(-1)).toBe('Others')
  expect(countPlaces([...many, 'c7'], bins).reduce((a, b) => a + b)).toBe(31)
})

test.each([
  [1 / 3, '0.333'],
  [1234.567, '1234.6'],
  [0, '0'],
  [0.00012, '0.00012'],
  [-0.5, '-0.5'],
])('%d in few digits', (value, text) => {
  expect(shortNumber(value)).toBe(text)
})

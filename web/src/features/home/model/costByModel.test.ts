import { expect, test } from 'vitest'
import { costSeries, modelsShown, sumOf } from './costByModel'

const starts = [new Date('2026-11-16T10:00:00Z'), new Date('2026-11-16T11:00:00Z')]
const row = (hour: number, providedModelName: string, sum_totalCost: number | null) => ({
  time_dimension: `2026-11-16T${hour}:00:00Z`,
  providedModelName,
  sum_totalCost,
})

test('what the models do not cost belongs to all others', () => {
  const rows = [row(10, 'a', 0.1), row(11, 'a', 0.2), row(11, 'b', null)]
  expect(costSeries(['a', 'b'], rows, [0.1, 0.5], starts, 'utc')).toEqual([
    { label: 'a', values: [0.1, 0.2], of: { kind: 'model', model: 'a' } },
    { label: 'b', values: [0, 0], of: { kind: 'model', model: 'b' } },
    {
      label: 'Other models',
      values: [0, 0.3],
      isRest: true,
      of: { kind: 'rest', models: ['a', 'b'] },
    },
  ])
})

test('nothing is left that is only a rounding error', () => {
  const rows = [row(10, 'a', 0.1), row(10, 'b', 0.2)]
  const labels = (total: number[]) =>
    costSeries(['a', 'b'], rows, total, starts, 'utc').map(({ label }) => label)
  expect(labels([0.30000000000000004, 0])).toEqual(['a', 'b'])
  expect(labels([0.29999999999999993, 0])).toEqual(['a', 'b'])
})

test('costs without any model are all costs, and a model may be called like the rest', () => {
  expect(costSeries([], [], [1, null], starts, 'utc')).toMatchObject([
    { label: 'Cost', values: [1, 0], isRest: true },
  ])
  const named = costSeries(['Other models'], [row(10, 'Other models', 1)], [2, 0], starts, 'utc')
  expect(named.map(({ label }) => label)).toEqual(['Other models', 'All other models'])
})

test('there are no more models than one response has rows for', () => {
  const models = Array.from({ length: 9 }, (_, at) => `m${at}`)
  expect(modelsShown(models, 24)).toHaveLength(6)
  expect(modelsShown(models, 180)).toHaveLength(5)
  expect(modelsShown(models, 5000)).toHaveLength(1)
  expect(modelsShown([], 24)).toEqual([])
})

test('figures are added up; before there are any, there is none', () => {
  expect(sumOf([{ n: 1 }, { n: null }, { n: 2 }], 'n')).toBe(3)
  expect(sumOf([], 'n')).toBe(0)
  expect(sumOf(undefined, 'n')).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { ScoreConfig } from '@/shared/scoring'
import {
  configChange,
  configProblems,
  configRequest,
  describeRange,
  emptyConfig,
  newCategory,
  toValues,
} from './config'

const config: ScoreConfig = {
  id: 'c1',
  projectId: 'p1',
  name: 'quality',
  dataType: 'CATEGORICAL',
  isArchived: false,
  description: null,
  minValue: null,
  maxValue: null,
  categories: [
    { label: 'good', value: 1 },
    { label: 'bad', value: 0 },
  ],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('a request has what belongs to its type', () => {
  const values = { ...emptyConfig(), name: ' accuracy ', minValue: '0', maxValue: '1.5' }
  expect(configRequest(values)).toEqual({
    name: 'accuracy',
    dataType: 'NUMERIC',
    description: null,
    minValue: 0,
    maxValue: 1.5,
  })
  expect(configRequest({ ...values, dataType: 'BOOLEAN' })).toEqual({
    name: 'accuracy',
    dataType: 'BOOLEAN',
    description: null,
  })
  expect(configChange(toValues(config))).toEqual({
    name: 'quality',
    description: '',
    categories: [
      { label: 'good', value: 1 },
      { label: 'bad', value: 0 },
    ],
  })
})

test('problems are named', () => {
  const values = { ...emptyConfig(), name: 'Qualität (1)' }
  expect(configProblems(values)).toEqual({})
  expect(configProblems({ ...values, name: 'a/b' }).name).toMatch(/Letters/)
  expect(configProblems({ ...values, minValue: '2', maxValue: '1' }).maxValue).toBe(
    'Must be above the smallest',
  )
  expect(configProblems({ ...values, minValue: 'x' }).minValue).toBe('Enter a number')
  const categorical = { ...values, dataType: 'CATEGORICAL' as const }
  expect(configProblems({ ...categorical, categories: [] }).categories).toBe(
    'Add at least one category',
  )
  const same = [newCategory('a', '1'), newCategory('a', '2')]
  expect(configProblems({ ...categorical, categories: same }).categories).toBe('Labels must differ')
})

test('what is allowed is said in few words', () => {
  expect(describeRange(config)).toBe('good = 1, bad = 0')
  const numeric: ScoreConfig = { ...config, dataType: 'NUMERIC', categories: null }
  expect(describeRange(numeric)).toBe('Any number')
  expect(describeRange({ ...numeric, minValue: 0, maxValue: 1 })).toBe('0 to 1')
  expect(describeRange({ ...numeric, minValue: 0 })).toBe('0 and above')
})

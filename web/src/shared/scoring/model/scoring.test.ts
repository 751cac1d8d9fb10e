import { expect, test } from 'vitest'
import {
  changedScore,
  emptyValues,
  mayEdit,
  newScore,
  scoreProblems,
  toScoreValues,
  withoutConfig,
  type Score,
  type ScoreConfig,
  type ScoreValues,
} from './scoring'

const config = (change: Partial<ScoreConfig>): ScoreConfig => ({
  id: 'c1',
  projectId: 'p',
  name: 'quality',
  dataType: 'NUMERIC',
  isArchived: false,
  description: null,
  minValue: 0,
  maxValue: 1,
  categories: null,
  createdAt: '',
  updatedAt: '',
  ...change,
})
const values = (change: Partial<ScoreValues>): ScoreValues => ({
  configId: 'c1',
  name: '',
  dataType: 'NUMERIC',
  value: '1',
  comment: ' because ',
  ...change,
})
const subject = { traceId: 't', observationId: 'o' }
const score = {
  id: 's1',
  name: 'helpful',
  dataType: 'BOOLEAN',
  value: true,
  source: 'ANNOTATION',
  environment: 'production',
  comment: null,
  configId: 'c1',
  queueId: null,
  subject: { kind: 'observation', id: 'o1', traceId: 't1' },
} as Score

test.each([
  ['0.5', {}, {}],
  ['', {}, { value: 'Enter a value.' }],
  ['x', {}, { value: 'Enter a number.' }],
  ['2', {}, { value: 'At most 1.' }],
  ['-1', {}, { value: 'At least 0.' }],
  ['2', { minValue: null, maxValue: null }, {}],
  ['a'.repeat(501), { dataType: 'TEXT' }, { value: 'At most 500 characters.' }],
] as const)('%s is checked', (value, change, problems) =>
  expect(scoreProblems(values({ value }), config(change))).toEqual(problems),
)

test.each([
  [{ configId: '' }, { configId: 'Choose what you score.' }],
  [{ configId: withoutConfig, name: ' ' }, { name: 'Enter a name.' }],
  [{ configId: withoutConfig, name: 'tone', value: 'much' }, { value: 'Enter a number.' }],
  [
    { configId: withoutConfig, name: 'tone', dataType: 'CATEGORICAL', value: ' ' },
    { value: 'Enter a value.' },
  ],
  [
    { configId: withoutConfig, name: 'tone', dataType: 'TEXT', value: 'x'.repeat(501) },
    { value: 'At most 500 characters.' },
  ],
  [{ configId: withoutConfig, name: 'tone', dataType: 'CATEGORICAL', value: 'much' }, {}],
] as const)('without a config, %j is checked', (change, problems) =>
  expect(scoreProblems(values(change), undefined)).toEqual(problems),
)

test('with one config, or none, there is nothing to choose', () => {
  expect(emptyValues([config({})]).configId).toBe('c1')
  expect(emptyValues([config({}), config({ id: 'c2' })]).configId).toBe('')
  expect(emptyValues([]).configId).toBe(withoutConfig)
})

test('numbers are sent as numbers, categories as texts; only configs make annotations', () => {
  const boolean = config({ dataType: 'BOOLEAN' })
  expect(newScore(values({}), boolean, { ...subject, environment: 'staging' })).toEqual({
    name: 'quality',
    dataType: 'BOOLEAN',
    value: 1,
    comment: 'because',
    configId: 'c1',
    source: 'ANNOTATION',
    traceId: 't',
    observationId: 'o',
    environment: 'staging',
  })
  const own = values({ name: ' tone ', dataType: 'CATEGORICAL', value: 'good', comment: '' })
  expect(
    newScore(own, undefined, { ...subject, observationId: undefined, environment: 'default' }),
  ).toEqual({
    name: 'tone',
    dataType: 'CATEGORICAL',
    value: 'good',
    comment: null,
    source: 'API',
    traceId: 't',
    observationId: undefined,
    environment: 'default',
  })
})

test('a changed score keeps its subject, config and environment', () => {
  expect(changedScore(score, values({ value: '0', comment: ' no ' }))).toEqual({
    id: 's1',
    name: 'helpful',
    value: 0,
    dataType: 'BOOLEAN',
    source: 'ANNOTATION',
    comment: 'no',
    environment: 'production',
    configId: 'c1',
    traceId: 't1',
    observationId: 'o1',
  })
  expect(changedScore(score, values({ comment: ' ' })).comment).toBeNull()
})

test('the form has what the score says', () => {
  expect(toScoreValues(score)).toMatchObject({ configId: 'c1', value: '1', comment: '' })
})

test('scores of evaluators are not edited', () => {
  expect(mayEdit(score)).toBe(true)
  expect(mayEdit({ source: 'EVAL' })).toBe(false)
})

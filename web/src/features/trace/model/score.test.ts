import { expect, test } from 'vitest'
import type { Score } from '../api/useScores'
import { isAbout, scoreProblems, scoreRequest, toScoreValues, type ScoreConfig } from './score'

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
const values = (value: string) => ({ configId: 'c1', value, comment: ' because ' })
const subject = { traceId: 't', observationId: 'o' }

test.each([
  ['0.5', {}, {}],
  ['', {}, { value: 'Give a value.' }],
  ['x', {}, { value: 'That is no number.' }],
  ['2', {}, { value: 'At most 1.' }],
  ['-1', {}, { value: 'At least 0.' }],
  ['2', { minValue: null, maxValue: null }, {}],
  ['a'.repeat(501), { dataType: 'TEXT' }, { value: 'At most 500 characters.' }],
] as const)('%s is checked', (value, change, problems) =>
  expect(scoreProblems(values(value), config(change))).toEqual(problems),
)

test('numbers are sent as numbers, categories as texts', () => {
  expect(scoreRequest(values('1'), config({ dataType: 'BOOLEAN' }), subject, 's1')).toMatchObject({
    id: 's1',
    value: 1,
    comment: 'because',
    traceId: 't',
    observationId: 'o',
    source: 'ANNOTATION',
  })
  expect(
    scoreRequest({ ...values('good'), comment: '' }, config({ dataType: 'CATEGORICAL' }), subject),
  ).toMatchObject({ value: 'good', comment: null })
})

test('a score is read back into the form, and belongs to its subject', () => {
  const score: Score = {
    id: 's',
    projectId: 'p',
    name: 'ok',
    dataType: 'BOOLEAN',
    value: true,
    source: 'ANNOTATION',
    timestamp: '',
    environment: 'default',
    createdAt: '',
    updatedAt: '',
    configId: 'c1',
    subject: { kind: 'observation', id: 'o', traceId: 't' },
  }
  expect(toScoreValues(score)).toEqual({ configId: 'c1', value: '1', comment: '' })
  expect(isAbout(score, subject)).toBe(true)
  expect(isAbout(score, { traceId: 't', observationId: undefined })).toBe(false)
})

import { expect, test } from 'vitest'
import { editRequest, mayEdit, toValues, valueProblem } from './edit'
import type { Score } from './points'

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

test('a changed score keeps its subject, config and environment', () => {
  expect(editRequest(score, { value: '0', comment: ' no ' })).toEqual({
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
})

test('an empty comment is removed', () => {
  expect(editRequest(score, { value: '1', comment: ' ' }).comment).toBeNull()
})

test('the form has what the score says', () => {
  expect(toValues(score)).toEqual({ value: '1', comment: '' })
})

test.each([
  ['NUMERIC', '0.5', undefined],
  ['NUMERIC', 'much', 'That is no number.'],
  ['CATEGORICAL', ' ', 'Give a value.'],
  ['TEXT', 'x'.repeat(501), 'At most 500 characters.'],
] as const)('%s %s', (dataType, value, problem) => {
  expect(valueProblem(dataType, value)).toBe(problem)
})

test('scores of evaluators are not edited', () => {
  expect(mayEdit(score)).toBe(true)
  expect(mayEdit({ ...score, source: 'EVAL' } as Score)).toBe(false)
})

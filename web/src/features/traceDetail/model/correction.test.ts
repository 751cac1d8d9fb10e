import { expect, test } from 'vitest'
import type { Score } from '@/shared/scoring'
import { correctionOf, editableOutput } from './correction'

test.each([
  ['"two\\nlines"', 'two\nlines'],
  ['plain', 'plain'],
  ['"not closed', '"not closed'],
  ['{"a":12345678901234567890}', '{\n  "a": 12345678901234567890\n}'],
  ['{broken', '{broken'],
])('%s is edited as %s', (stored, edited) => expect(editableOutput(stored)).toBe(edited))

const subject = { traceId: 't', observationId: 'o', environment: 'production' }
const before = {
  id: 's1',
  source: 'ANNOTATION',
  environment: 'staging',
  comment: 'why',
} as Score

test('a correction is an annotation without a config, and replaces the one before', () => {
  expect(correctionOf(subject, 'right', undefined)).toEqual({
    name: 'output',
    dataType: 'CORRECTION',
    value: 'right',
    source: 'ANNOTATION',
    ...subject,
  })
  expect(correctionOf(subject, 'right', before)).toMatchObject({
    id: 's1',
    comment: 'why',
    environment: 'staging',
  })
})

test('a correction by an evaluator stays beside that of a person', () => {
  expect(correctionOf(subject, 'right', { ...before, source: 'EVAL' })).not.toHaveProperty('id')
})

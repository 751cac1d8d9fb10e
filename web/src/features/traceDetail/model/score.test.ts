import { expect, test } from 'vitest'
import type { Score } from '@/shared/scoring'
import { isAbout } from './score'

test('a score belongs to its subject', () => {
  const score = { subject: { kind: 'observation', id: 'o', traceId: 't' } } as Score
  expect(isAbout(score, { traceId: 't', observationId: 'o' })).toBe(true)
  expect(isAbout(score, { traceId: 't', observationId: undefined })).toBe(false)
})

import { expect, test } from 'vitest'
import { missingBytes, rawText } from './raw'
import type { Detail } from './wire'

const detail = {
  id: 'a',
  name: 'step',
  inputPreview: 'long',
  outputPreview: '',
  metadata: {},
  scores: {},
  bookmarked: false,
  texts: { input: 'öäü', metadata: '{"a":1}' },
  cut: { input: { truncated: true, bytes: 100 } },
} as unknown as Detail

test('raw is what is stored, without what only lists show', () => {
  expect(JSON.parse(rawText(detail))).toEqual({ id: 'a', name: 'step', texts: detail.texts })
  const whole = { ...detail.texts, input: 'all of it' }
  expect(JSON.parse(rawText(detail, whole))).toMatchObject({ texts: { input: 'all of it' } })
})

test('what is missing is counted in bytes', () => {
  expect(missingBytes(detail)).toBe(94)
  expect(missingBytes({ ...detail, cut: {} })).toBe(0)
})

import { expect, test } from 'vitest'
import type { Difference } from '../api/useComparison'
import {
  changesSentence,
  differenceSentence,
  estimateText,
  intervalText,
  missingText,
} from './sentence'

const quality = { key: 'NUMERIC:API:quality', dataType: 'NUMERIC', isRatio: false }
const latency = { key: 'latency', dataType: '', isRatio: true }

const found: Difference = {
  paired: 200,
  onlyBaseline: 0,
  onlyCandidate: 0,
  leftOut: 0,
  improved: 20,
  regressed: 3,
  unchanged: 177,
  baseline: 0.7,
  candidate: 0.74,
  estimate: 0.04,
  low: 0.02,
  high: 0.06,
  signP: 0.001,
  verdict: 'better',
}

test.each<[string, Parameters<typeof differenceSentence>[1], Partial<Difference>]>([
  ['3 of 200 items got worse, 20 better; it rose by 0.02–0.06 with 95% confidence.', quality, {}],
  [
    '3 of 200 items got worse, 20 better; it fell by 0.02–0.06 with 95% confidence.',
    quality,
    { low: -0.06, high: -0.02, verdict: 'worse' },
  ],
  [
    '3 of 200 items got worse, 20 better; whether it changed is unclear (−0.01 to +0.06).',
    quality,
    { low: -0.01, verdict: 'unclear' },
  ],
  [
    '0 of 200 items got worse, 0 better; it did not change.',
    quality,
    { improved: 0, regressed: 0, low: 0, high: 0, verdict: 'unclear' },
  ],
  [
    '1 of 12 items got worse, 2 better. That is too few items for a verdict.',
    quality,
    { paired: 12, regressed: 1, improved: 2, verdict: 'too-few' },
  ],
  [
    '3 of 200 items got worse, 20 better; it rose to ×1.09–×1.28 of what it was with 95% confidence.',
    latency,
    { low: 1.09, high: 1.28, verdict: 'worse' },
  ],
  ['No item has it in both experiments.', quality, { paired: 0 }],
])('%s', (sentence, measure, change) => {
  expect(differenceSentence('it', measure, { ...found, ...change })).toBe(sentence)
})

test('numbers beside the sentence', () => {
  expect(estimateText(quality, found)).toBe('+0.04')
  expect(estimateText(quality, { ...found, estimate: 0 })).toBe('0')
  expect(estimateText(quality, { ...found, estimate: null })).toBe('–')
  expect(estimateText(latency, { ...found, estimate: 1.2 })).toBe('×1.20')
  expect(intervalText(quality, found)).toBe('+0.02 to +0.06')
  expect(intervalText(quality, { ...found, low: null, high: null })).toBe('')
})

test('categories are counted, not valued', () => {
  const changes = {
    paired: 10,
    onlyBaseline: 1,
    onlyCandidate: 0,
    mixed: 2,
    changed: 3,
    transitions: [
      { from: 'warm', to: 'warm', items: 7 },
      { from: 'warm', to: 'curt', items: 3 },
    ],
  }
  expect(changesSentence(changes)).toBe(
    '3 of 10 items changed: warm → curt 3. The repetitions of 2 items disagree.',
  )
  expect(missingText(changes)).toBe('1 only in the baseline')
  expect(missingText({ onlyBaseline: 0, onlyCandidate: 2, leftOut: 1 })).toBe(
    '2 only here, 1 without a ratio',
  )
})

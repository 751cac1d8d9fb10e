import { expect, test } from 'vitest'
import { meanText, measureName, measureText, nameInSentence } from './scores'

const quality = { key: 'NUMERIC:API:quality', name: 'quality', source: 'API', dataType: 'NUMERIC' }
const tone = { key: 'CATEGORICAL:API:tone', name: 'tone', source: 'API', dataType: 'CATEGORICAL' }

test('numbers are read as what they measure', () => {
  expect(measureText(quality, 0.71875)).toBe('0.719')
  expect(measureText({ key: 'BOOLEAN:API:ok', dataType: 'BOOLEAN' }, 0.985)).toBe('98.5%')
  expect(measureText({ key: 'latency', dataType: '' }, 1200)).toBe('1.2 s')
  expect(measureText({ key: 'cost', dataType: '' }, 0.5)).toBe('$0.50')
})

test('a category has counts, not a mean', () => {
  const labels = [
    { label: 'warm', items: 3 },
    { label: 'curt', items: 1 },
  ]
  expect(meanText(tone, { key: tone.key, items: 4, mean: null, labels })).toBe('warm 3, curt 1')
  expect(meanText(quality, { key: quality.key, items: 4, mean: 0, labels: [] })).toBe('0')
  expect(meanText(quality, { key: quality.key, items: 0, mean: null, labels: [] })).toBe('–')
  expect(meanText(quality, undefined)).toBe('–')
})

test('the source is named only where names are the same', () => {
  const judged = { ...quality, key: 'NUMERIC:EVAL:quality', source: 'EVAL' }
  const word = { ...quality, key: 'CATEGORICAL:API:quality', dataType: 'CATEGORICAL' }
  expect(measureName(quality, [quality, tone])).toBe('quality')
  expect(nameInSentence(quality, [quality, judged])).toBe('quality (API)')
  expect(nameInSentence({ key: 'cost', name: 'cost', source: '', dataType: '' }, [])).toBe('cost')
  expect(measureName(judged, [quality, judged])).toBe('quality (EVAL)')
  expect(measureName(word, [quality, word])).toBe('quality (API, CATEGORICAL)')
})

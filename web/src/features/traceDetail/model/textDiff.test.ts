import { expect, test } from 'vitest'
import { longestDiff, shortened, textDiff } from './textDiff'

test('words that differ, and where', () => {
  expect(textDiff('the quick fox', 'the slow fox')).toEqual({
    parts: [
      { kind: 'same', text: 'the ' },
      { kind: 'only-a', text: 'quick' },
      { kind: 'only-b', text: 'slow' },
      { kind: 'same', text: ' fox' },
    ],
    added: 4,
    removed: 5,
  })
  expect(textDiff('same', 'same')?.parts).toEqual([{ kind: 'same', text: 'same' }])
})

test('JSON is compared entry by entry, however it is written', () => {
  expect(textDiff('{"a":1,"b":2}', '{ "a": 1, "b": 2 }')?.added).toBe(0)
  const parts = textDiff('{"a":1,"b":2}', '{"a":1,"b":3}')?.parts ?? []
  expect(parts.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(['2', '3'])
})

test('long texts are compared by lines, longer ones not at all', () => {
  const lines = (odd: string) =>
    Array.from({ length: 3000 }, (_, at) => (at === 1500 ? odd : `line ${at}`)).join('\n')
  const diff = textDiff(lines('this'), lines('that'))
  expect(diff?.parts.filter(({ kind }) => kind !== 'same').map(({ text }) => text.trim())).toEqual([
    'this',
    'that',
  ])
  expect(textDiff('x'.repeat(longestDiff), 'y')).toBeUndefined()
})

test('what both have far from a difference is left out', () => {
  const same = Array.from({ length: 20 }, (_, at) => `${at}`).join('\n')
  const shown = shortened([
    { kind: 'same', text: same },
    { kind: 'only-a', text: 'x' },
    { kind: 'same', text: same },
    { kind: 'only-b', text: 'y' },
  ])
  expect(shown.map((part) => (part.kind === 'left-out' ? part.lines : part.kind))).toEqual([
    17,
    'same',
    'only-a',
    'same',
    14,
    'same',
    'only-b',
  ])
  expect(shortened([{ kind: 'same', text: 'a\nb' }])).toEqual([{ kind: 'same', text: 'a\nb' }])
})

test('numbers are compared by all their digits', () => {
  const parts = textDiff('{"id":1234567890123456789}', '{"id":1234567890123456780}')?.parts ?? []
  expect(parts.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual([
    '1234567890123456789',
    '1234567890123456780',
  ])
})

import { expect, test } from 'vitest'
import { anchorOf, locate, placesOf, quoteOf, type Anchor } from './anchor'

const conversation = JSON.stringify({
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Where is\nmy 当 order? It was due.' },
  ],
})

test.each([
  ['a part of a text in JSON', conversation, 'my 当 order', ['messages', '1', 'content'], 9, 19],
  ['with other blanks', conversation, 'is my', ['messages', '1', 'content'], 6, 11],
  ['a plain text', 'one two three', 'two', [], 4, 7],
  ['a text that is JSON itself', '"one two"', 'two', [], 4, 7],
  ['what only looks like JSON', '{one', 'one', [], 1, 4],
])('%s has a place, and the place has the quote', (_, text, quote, path, start, end) => {
  const anchor = locate('input', text, quote)
  expect(anchor).toEqual({ dataField: 'input', path, rangeStart: start, rangeEnd: end })
  expect(quoteOf(text, anchor as Anchor)?.replaceAll(/\s+/g, ' ')).toBe(quote)
})

test('what is in no text has no place', () => {
  expect(locate('input', conversation, 'kind. Where')).toBeUndefined()
  expect(locate('input', conversation, '  ')).toBeUndefined()
  expect(locate('input', conversation, 'x'.repeat(2001))).toBeUndefined()
  const anchor = { dataField: 'input', path: ['gone'], rangeStart: 0, rangeEnd: 3 } as const
  expect(quoteOf(conversation, { ...anchor, path: ['gone'] })).toBeUndefined()
  expect(quoteOf('abc', { ...anchor, path: [], rangeStart: 7, rangeEnd: 9 })).toBeUndefined()
})

test('a quote is found across the nodes of a page', () => {
  expect(placesOf(['Where is ', 'my', ' 当 order? my 当'], 'my 当')).toEqual([
    { from: { piece: 1, at: 0 }, to: { piece: 2, at: 2 } },
    { from: { piece: 2, at: 10 }, to: { piece: 2, at: 14 } },
  ])
  expect(placesOf(['a'], 'b')).toEqual([])
  expect(placesOf([], 'b')).toEqual([])
})

test('a comment has an anchor or it has none', () => {
  expect(anchorOf({})).toBeUndefined()
  expect(anchorOf({ dataField: 'title', path: [], rangeStart: 0, rangeEnd: 1 })).toBeUndefined()
  const anchor = { dataField: 'output', path: ['0'], rangeStart: 0, rangeEnd: 1 }
  expect(anchorOf(anchor)).toEqual(anchor)
})

import { describe, expect, it } from 'vitest'
import { byteLength } from './byteLength'
import { longestConversation, detectContent } from './contentKind'
import { pieces } from './pieces'

describe('byteLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['当', 3],
    ['😀', 4],
    ['a\ud800b', 5],
  ])('%j', (text, bytes) => {
    expect(byteLength(text)).toBe(bytes)
  })
})

describe('pieces', () => {
  it.each([
    ['', 4, [0]],
    ['abc', 4, [0, 3]],
    ['abcdefgh', 4, [0, 4, 8]],
    ['ab\ncdefg', 4, [0, 3, 7, 8]],
    ['abc😀d', 4, [0, 3, 6]],
  ])('%j', (text, size, offsets) => {
    expect(pieces(text, size)).toEqual(offsets)
  })

  it('cuts a long line in time that grows with its length', () => {
    expect(pieces('x'.repeat(5_000_000))).toHaveLength(2501)
  })
})

describe('lookOf', () => {
  it.each([
    ['[{"role":"user","content":"Hi"}]', 'conversation'],
    ['{"city":"Oslo"}', 'json'],
    ['{broken', 'text'],
    ['"quoted"', 'text'],
    ['plain', 'text'],
    ['12', 'text'],
    [`[${'1,'.repeat(longestConversation)}1]`, 'json'],
  ])('%.20s', (text, kind) => {
    expect(detectContent(text, false).kind).toBe(kind)
  })

  it('reads a text that was cut only if it is known to be', () => {
    expect(detectContent('[{"role":"user","content":"Hi', true).kind).toBe('conversation')
    expect(detectContent('[{"role":"user","content":"Hi', false).kind).toBe('text')
    expect(detectContent('"quoted \\u5f53"', false)).toEqual({ kind: 'text', text: 'quoted 当' })
  })
})

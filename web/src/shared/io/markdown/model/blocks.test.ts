import { describe, expect, it } from 'vitest'
import {
  beginningOf,
  blocksAtFirst,
  blocksOf,
  isDense,
  longestMarkdown,
  safeAddress,
} from './blocks'

describe('blocksOf', () => {
  it.each([
    ['', 0],
    ['one', 1],
    ['# head\n\ntext\n\n- a\n- b', 3],
  ])('%j', (text, count) => {
    expect(blocksOf(text)?.filter(({ type }) => type !== 'space')).toHaveLength(count)
  })

  it('does not read what would take too long', () => {
    expect(blocksOf('x'.repeat(longestMarkdown + 1))).toBeUndefined()
    for (const text of ['[', '*a', '>', '_a _', '![a]('])
      expect(blocksOf(text.repeat(10_000)), text).toBeUndefined()
    expect(isDense('[\n'.repeat(10_000))).toBe(true)
    expect(isDense('- **a** `b`\n\n'.repeat(1000))).toBe(false)
    expect(isDense('```\n' + '[1, [2]]\n'.repeat(1000) + '```')).toBe(false)
  })
})

describe('what is shown at first', () => {
  it('ends between blocks', () => {
    const blocks = blocksOf('word '.repeat(10) + '\n\n' + 'more '.repeat(30) + '\n\nend') ?? []
    expect(blocksAtFirst(blocks, 1000)).toBe(blocks.length)
    expect(blocksAtFirst(blocks, 60)).toBe(2)
    expect(blocksAtFirst(blocks, 10)).toBe(1)
  })

  it('ends between paragraphs if there are any', () => {
    expect(beginningOf('abc', 10)).toBe('abc')
    expect(beginningOf('a'.repeat(8) + '\n\n' + 'b'.repeat(20), 12)).toBe('a'.repeat(8))
    expect(beginningOf('a'.repeat(40), 12)).toBe('a'.repeat(12))
  })
})

describe('safeAddress', () => {
  it.each([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['HTTP://example.com', 'http://example.com/'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['javascript:alert(1)', undefined],
    [' java\nscript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['vbscript:x', undefined],
    ['/settings', undefined],
    ['//evil.example', undefined],
    ['', undefined],
  ])('%j', (address, expected) => {
    expect(safeAddress(address)).toBe(expected)
  })
})

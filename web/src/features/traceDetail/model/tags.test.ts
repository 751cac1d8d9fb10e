import { expect, test } from 'vitest'
import { parseTags, tagsProblem } from './tags'

test('tags are split, trimmed, sorted and taken once', () => {
  expect(parseTags(' b, a\n,b,  two words ')).toEqual(['a', 'b', 'two words'])
  expect(parseTags(' , ')).toEqual([])
})

test('too many and too long tags are named', () => {
  expect(tagsProblem(['a'])).toBeUndefined()
  expect(tagsProblem(Array.from({ length: 101 }, (_, at) => `t${at}`))).toContain('101')
  expect(tagsProblem(['x'.repeat(201)])).toContain('200 characters')
})

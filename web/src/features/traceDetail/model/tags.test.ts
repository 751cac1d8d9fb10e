import { expect, test } from 'vitest'
import { tagsProblem, withTag } from './tags'

test('a tag is trimmed, sorted in and taken once, and a comma is part of it', () => {
  expect(withTag(['c', 'b, or not'], '  a  ')).toEqual(['a', 'b, or not', 'c'])
  expect(withTag(['b'], 'b')).toEqual(['b'])
  expect(withTag(['b'], '  ')).toEqual(['b'])
})

test('too many and too long tags are named', () => {
  expect(tagsProblem(['a'])).toBeUndefined()
  expect(tagsProblem(Array.from({ length: 101 }, (_, at) => `t${at}`))).toContain('101')
  expect(tagsProblem(['x'.repeat(201)])).toContain('200 characters')
})

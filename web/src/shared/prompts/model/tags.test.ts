import { expect, test } from 'vitest'
import { tagsProblem, withTag } from './tags'

test('what was typed is a tag, once and without spaces around it', () => {
  expect(withTag(['a'], ' b ')).toEqual(['a', 'b'])
  expect(withTag(['a'], 'a')).toEqual(['a'])
  expect(withTag(['a'], '  ')).toEqual(['a'])
})

test('the limits of tags', () => {
  expect(tagsProblem(['x'.repeat(255)])).toBeUndefined()
  expect(tagsProblem(['x'.repeat(256)])).toMatch('255 characters')
  expect(tagsProblem(Array.from({ length: 101 }, (_, n) => String(n)))).toMatch('100 tags')
})

import { expect, test } from 'vitest'
import { compileQuery } from './query'
import { termOf } from './termOf'

test.each([
  ['refund policy', 'refund policy'],
  ['input:"refund policy"', 'refund policy'],
  ['level:ERROR output:timeout', 'timeout'],
  ['output:timeout refund', 'refund'],
  ['-output:timeout', undefined],
  ['level:ERROR', undefined],
  ['', undefined],
  [`"${'a'.repeat(201)}"`, undefined],
])('%s leads to %s', (text, term) => {
  expect(termOf(compileQuery(text).query)).toBe(term)
})

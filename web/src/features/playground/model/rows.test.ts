import { expect, test } from 'vitest'
import { rowOf } from './rows'

const item = (input: unknown) => ({ id: 'i', input, expectedOutput: null })

test.each([
  [{ a: 'x', b: { c: 1 } }, ['a', 'b'], { a: 'x', b: '{"c":1}' }],
  [{ a: 'x' }, ['a', 'other'], { a: 'x', other: 'kept' }],
  ['whole', ['a'], { a: 'whole' }],
  [{ c: 1 }, ['a'], { a: '{"c":1}' }],
])('the input %j has the variables %j', (input, names, values) => {
  const row = rowOf(item(input), names, names.includes('other') ? { other: 'kept' } : {})
  expect(row.values).toEqual(values)
  expect(row.problem).toBeUndefined()
})

test('an item without any of several variables cannot be run', () => {
  expect(rowOf(item('text'), ['a', 'b'], {}).problem).toMatch(/none of the variables/)
})

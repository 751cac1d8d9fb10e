import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, strings } from './search'

test('values stay text', () => {
  expect(parseSearch('?observation=012345678901234567890&runs=a&runs=b&flag=true')).toEqual({
    observation: '012345678901234567890',
    runs: ['a', 'b'],
    flag: 'true',
  })
})

test('what is written is read again, odd characters included', () => {
  const search = { name: 'a/b#c%d é 当 &=+', list: ['x', 'y'] }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
  expect(stringifySearch({ gone: undefined, none: null })).toBe('')
})

test('a space stays what it was, and so does a plus', () => {
  const text = '?filter=a%20b%2Bc'
  expect(stringifySearch(parseSearch(text))).toBe(text)
})

test('a parameter that is given twice counts as empty, and unknown ones stay', () => {
  const schema = strings('tab', 'find')
  expect(schema({ tab: ['a', 'b'], find: 'x', other: ['c', 'd'] })).toEqual({
    tab: '',
    find: 'x',
    other: ['c', 'd'],
  })
  expect(schema({})).toEqual({})
})

import { expect, test } from 'vitest'
import { nameWithin, pathTo } from './folders'

test('names within folders', () => {
  expect(pathTo('a/b c/d')).toEqual([
    { name: 'a', path: 'a' },
    { name: 'b c', path: 'a/b c' },
    { name: 'd', path: 'a/b c/d' },
  ])
  expect(pathTo('')).toEqual([])
  expect(nameWithin('a/b/c', 'a')).toBe('b/c')
  expect(nameWithin('ab/c', 'a')).toBe('ab/c')
  expect(nameWithin('a', undefined)).toBe('a')
})

import { expect, test } from 'vitest'
import { authorName } from './authors'

test('authors are people, those who have left, or keys', () => {
  expect(authorName({ id: 'u', name: 'Ada' })).toBe('Ada')
  expect(authorName({ id: 'u', name: null })).toBe('a former member')
  expect(authorName({ id: 'u', name: '' })).toBe('a former member')
  expect(authorName({ id: 'API', name: null })).toBe('an API key')
})

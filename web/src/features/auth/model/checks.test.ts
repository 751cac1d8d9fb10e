import { expect, test } from 'vitest'
import { nameProblem, passwordProblem } from './checks'

test('passwords are counted in characters', () => {
  expect(passwordProblem('0123456789')).toBeUndefined()
  expect(passwordProblem('🔑🔑🔑🔑🔑')).toBe('At least 10 characters, 5 more')
})

test('names', () => {
  expect(nameProblem('Ada')).toBeUndefined()
  expect(nameProblem(' ')).toBe('Enter your name')
})

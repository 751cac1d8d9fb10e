import { expect, test } from 'vitest'
import { emailProblem, nameProblem, passwordProblem } from './checks'

test('e-mail addresses', () => {
  expect(emailProblem('ada@example.com')).toBeUndefined()
  expect(emailProblem(' ')).toBe('Enter your e-mail address')
  expect(emailProblem('ada')).toBe('This is no e-mail address')
})

test('passwords are counted in characters', () => {
  expect(passwordProblem('0123456789')).toBeUndefined()
  expect(passwordProblem('🔑🔑🔑🔑🔑')).toBe('At least 10 characters, 5 more')
})

test('names', () => {
  expect(nameProblem('Ada')).toBeUndefined()
  expect(nameProblem(' ')).toBe('Enter your name')
})

import { expect, test } from 'vitest'
import { emailProblem, nameProblem, passwordProblem } from './checks'

test('e-mail addresses', () => {
  expect(emailProblem('ada@example.com')).toBeUndefined()
  for (const email of [' ', 'ada', 'ada lovelace@example.com'])
    expect(emailProblem(email)).toBe('Enter an e-mail address, such as ada@example.com')
})

test('passwords are counted in characters', () => {
  expect(passwordProblem('0123456789')).toBeUndefined()
  expect(passwordProblem('🔑🔑🔑🔑🔑')).toBe('At least 10 characters, 5 more')
})

test('names', () => {
  expect(nameProblem('Ada')).toBeUndefined()
  expect(nameProblem(' ')).toBe('Enter your name')
})

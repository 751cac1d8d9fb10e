import { expect, test } from 'vitest'
import { emailProblem } from './email'

test('email addresses', () => {
  expect(emailProblem('ada@example.com')).toBeUndefined()
  for (const email of [' ', 'ada', 'ada lovelace@example.com'])
    expect(emailProblem(email)).toBe('Enter an email address, such as ada@example.com')
})

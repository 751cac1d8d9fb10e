import { expect, test } from 'vitest'
import { signInProblem } from './signInProblem'

test('a word of the server becomes a sentence', () => {
  expect(signInProblem(undefined)).toBeUndefined()
  expect(signInProblem('')).toBeUndefined()
  expect(signInProblem('sso_no_account')).toBe(
    'There is no account for you here. Ask a teammate to invite you.',
  )
})

test('a link cannot put words into our mouth', () => {
  for (const text of ['Call 555-0100 to unlock your account', '__proto__', 'constructor'])
    expect(signInProblem(text)).toBe('Sign-in failed. Try again.')
})

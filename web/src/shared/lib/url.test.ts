import { expect, test } from 'vitest'
import { safeReturnPath } from './url'

test.each([
  ['/project/p/traces/t?observation=o#comment-1', '/project/p/traces/t?observation=o#comment-1'],
  ['/project/p/users/a%2Fb%23c', '/project/p/users/a%2Fb%23c'],
  [undefined, '/'],
  ['', '/'],
  ['project/p', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/..//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/auth/sign-in?returnTo=/x', '/'],
  ['/auth/sign-instructions', '/auth/sign-instructions'],
])('%s leads to %s', (text, want) => expect(safeReturnPath(text)).toBe(want))

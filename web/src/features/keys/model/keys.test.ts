import { expect, test } from 'vitest'
import { environmentSnippet } from './environment'
import { expiresAt, expiryProblem } from './expiry'
import { allPermissions, describePermissions, permissionsOf } from './permissions'

const now = new Date('2026-11-16T12:00:00Z')

test('a key ends when its owner says', () => {
  expect(expiresAt('never', '', now)).toBeNull()
  expect(expiresAt('30', '', now)).toBe('2026-12-16T12:00:00.000Z')
  expect(new Date(expiresAt('date', '2026-12-24', now) ?? '').getTime()).toBe(
    new Date('2026-12-24T23:59:59').getTime(),
  )
})

test('a date has to be one, and to come', () => {
  expect(expiryProblem('never', '', now)).toBeUndefined()
  expect(expiryProblem('date', '', now)).toBe('Enter a date')
  expect(expiryProblem('date', '2026-11-01', now)).toBe('This date is in the past')
  expect(expiryProblem('date', '2026-12-01', now)).toBeUndefined()
})

test('sets of permissions', () => {
  expect(permissionsOf('all', [])).toBeNull()
  expect(permissionsOf('chosen', ['scores:read', 'traces:read'])).toEqual([
    'traces:read',
    'scores:read',
  ])
  expect(permissionsOf('read', [])).toEqual([
    'traces:read',
    'scores:read',
    'prompts:read',
    'datasets:read',
    'comments:read',
  ])
  expect(allPermissions).toHaveLength(17)
})

test('what a key may do is said in few words', () => {
  expect(describePermissions(undefined)).toBe('Everything')
  expect(describePermissions(allPermissions)).toBe('Everything')
  expect(describePermissions(permissionsOf('read', []) ?? [])).toBe('Read only')
  expect(describePermissions(['traces:read'])).toBe('traces:read')
})

test('the environment has the address', () => {
  expect(environmentSnippet('https://a.example', { publicKey: 'p', secretKey: 's' })).toBe(
    'LANGFUSE_PUBLIC_KEY="p"\nLANGFUSE_SECRET_KEY="s"\nLANGFUSE_BASE_URL="https://a.example"',
  )
})

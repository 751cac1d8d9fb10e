import { expect, test } from 'vitest'
import { grantableRoles, roleLabel, roleNeeded } from './roles'

test('nobody gives a role above their own', () => {
  expect(grantableRoles('ADMIN').map((role) => role.id)).toEqual([
    'ADMIN',
    'MEMBER',
    'VIEWER',
    'ANNOTATOR',
    'NONE',
  ])
})

test('the role that something needs depends on where it is', () => {
  expect(roleNeeded('keys:write', 'project')).toBe('ADMIN')
  expect(roleNeeded('keys:write', 'organization')).toBe('OWNER')
  expect(roleNeeded('something new', 'project')).toBe('OWNER')
  expect(roleLabel('ANNOTATOR')).toBe('Annotator')
})

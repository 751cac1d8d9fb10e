import { expect, test } from 'vitest'
import { can, findProject, toSession } from './session'
import { exampleSession } from '../testing/exampleSession'

test('organizations and projects come in the order of their names', () => {
  const session = toSession({
    ...exampleSession,
    organizations: exampleSession.organizations.toReversed(),
  })
  expect(session.organizations.map((each) => each.name)).toEqual(['Acme', 'Zeta 2', 'Zeta 10'])
  expect(session.organizations[0]?.projects.map((each) => each.name)).toEqual(['Agents', 'search'])
})

test('a project is found with its organization, and what may not be seen is not', () => {
  expect(findProject(exampleSession, 'p-agents')?.organization.name).toBe('Acme')
  expect(findProject(exampleSession, 'other')).toBeUndefined()
})

test('permissions', () => {
  expect(can({ permissions: ['keys:write'] }, 'keys:write')).toBe(true)
  expect(can({ permissions: [] }, 'keys:write')).toBe(false)
  expect(can(undefined, 'keys:write')).toBe(false)
})

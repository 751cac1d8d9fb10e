import { expect, test } from 'vitest'
import { exampleSession } from './testing/exampleSession'
import { lastProject, rememberProject } from './lastProject'

test('the project that was open last counts, if it can still be seen', () => {
  expect(lastProject(exampleSession)).toBe('p-search')
  rememberProject('p-agents')
  expect(lastProject(exampleSession)).toBe('p-agents')
  rememberProject('gone')
  expect(lastProject(exampleSession)).toBe('p-search')
  expect(lastProject({ ...exampleSession, organizations: [] })).toBeUndefined()
})

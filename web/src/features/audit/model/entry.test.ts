import { expect, test } from 'vitest'
import { describeActor, describeResource } from './entry'

test('people have names, others are called what they are', () => {
  expect(describeActor({ type: 'user', id: 'u1', name: 'Ada' })).toBe('Ada')
  expect(describeActor({ type: 'user', id: 'u2', name: null })).toBe('u2')
  expect(describeActor({ type: 'api-key', id: 'k1', name: null })).toBe('API key k1')
  expect(describeActor({ type: 'cli', id: null, name: null })).toBe('Command line')
  expect(describeActor({ type: 'scim', id: null, name: null })).toBe('scim')
})

test.each([
  ['apiKey', 'API key'],
  ['scoreConfig', 'Score config'],
  ['llm-connection', 'LLM connection'],
  ['project', 'Project'],
])('%s', (type, expected) => {
  expect(describeResource(type)).toBe(expected)
})

import { expect, test } from 'vitest'
import { describeActor, describeResource } from './entry'

test('people have names, others are called what they are', () => {
  const names = new Map([['u1', 'Ada']])
  expect(describeActor({ type: 'user', id: 'u1' }, names)).toBe('Ada')
  expect(describeActor({ type: 'user', id: 'u2' }, names)).toBe('u2')
  expect(describeActor({ type: 'api-key', id: 'k1' }, names)).toBe('API key k1')
  expect(describeActor({ type: 'cli', id: null }, names)).toBe('Command line')
  expect(describeActor({ type: 'scim', id: null }, names)).toBe('scim')
})

test.each([
  ['apiKey', 'API key'],
  ['scoreConfig', 'Score config'],
  ['llm-connection', 'LLM connection'],
  ['project', 'Project'],
])('%s', (type, expected) => {
  expect(describeResource(type)).toBe(expected)
})

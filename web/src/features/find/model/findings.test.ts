import { expect, test } from 'vitest'
import { mayBeId, ownAddress, toFindings } from './findings'

test('every kind that an id may be of gets its page', () => {
  const found = toFindings('p', ' a/b#c ', {
    observation: { id: 'a/b#c', traceId: 't 1' },
    isTrace: true,
    isSession: true,
    isUser: true,
  })
  expect(found.map((each) => each.to)).toEqual([
    '/project/p/traces/a%2Fb%23c',
    '/project/p/traces/t%201?observation=a%2Fb%23c',
    '/project/p/sessions/a%2Fb%23c',
    '/project/p/users/a%2Fb%23c',
  ])
  expect(toFindings('p', 'x', { isTrace: false, isSession: false, isUser: false })).toEqual([])
})

test.each([
  ['0af7651916cd43dd8448eb211c80319c', true],
  ['user-1', true],
  ['ab', false],
  ['two words', false],
  ['x'.repeat(201), false],
])('%s', (text, want) => expect(mayBeId(text)).toBe(want))

test('an address of this server is a path, and another one is not', () => {
  expect(ownAddress('https://a.example/base/project/p?x=1#y', 'https://a.example', '/base')).toBe(
    '/project/p?x=1#y',
  )
  expect(
    ownAddress('https://b.example/base/project/p', 'https://a.example', '/base'),
  ).toBeUndefined()
  expect(ownAddress('https://a.example/project/p', 'https://a.example', '/base')).toBeUndefined()
})

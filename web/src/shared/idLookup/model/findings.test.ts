import { expect, test } from 'vitest'
import { mayBeId, appPathOf, toFindings } from './findings'

test('every kind that an id may be of gets its page', () => {
  const found = toFindings('p', ' a/b#c ', {
    observation: { id: 'a/b#c', traceId: 't 1' },
    isTrace: true,
    isSession: true,
    isUser: true,
  })
  expect(found.map(({ to, params, search }) => [to, params, search])).toEqual([
    ['/project/$projectId/traces/$traceId', { projectId: 'p', traceId: 'a/b#c' }, {}],
    [
      '/project/$projectId/traces/$traceId',
      { projectId: 'p', traceId: 't 1' },
      { observation: 'a/b#c' },
    ],
    ['/project/$projectId/sessions/$sessionId', { projectId: 'p', sessionId: 'a/b#c' }, undefined],
    ['/project/$projectId/users/$userId', { projectId: 'p', userId: 'a/b#c' }, undefined],
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
  expect(
    appPathOf('https://a.example/base/project/p?x=1#y', 'https://a.example', '/base'),
  ).toMatchObject({ label: '/project/p?x=1#y', to: '/project/p', search: { x: '1' }, hash: 'y' })
  expect(
    appPathOf('https://b.example/base/project/p', 'https://a.example', '/base'),
  ).toBeUndefined()
  expect(appPathOf('https://a.example/project/p', 'https://a.example', '/base')).toBeUndefined()
})

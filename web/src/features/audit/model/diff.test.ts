import { expect, test } from 'vitest'
import { differences } from './diff'

test('values are compared one by one', () => {
  expect(
    differences(
      { name: 'a', prices: { input: 1, output: 2 }, tags: ['x'], gone: true },
      { name: 'b', prices: { input: 1, output: 3 }, tags: ['x', 'y'], note: null },
    ),
  ).toEqual([
    { path: 'name', kind: 'changed', before: 'a', after: 'b' },
    { path: 'prices.input', kind: 'same', before: '1', after: '1' },
    { path: 'prices.output', kind: 'changed', before: '2', after: '3' },
    { path: 'tags.0', kind: 'same', before: 'x', after: 'x' },
    { path: 'gone', kind: 'removed', before: 'true' },
    { path: 'tags.1', kind: 'added', after: 'y' },
    { path: 'note', kind: 'added', after: 'null' },
  ])
})

test('creations and deletions have one side', () => {
  expect(differences(null, { role: 'ADMIN' })).toEqual([
    { path: 'role', kind: 'added', after: 'ADMIN' },
  ])
  expect(differences({ list: [], part: {} }, null)).toEqual([
    { path: 'list', kind: 'removed', before: '[]' },
    { path: 'part', kind: 'removed', before: '{}' },
  ])
  expect(differences(null, null)).toEqual([])
})

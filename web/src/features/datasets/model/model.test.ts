import { expect, test } from 'vitest'
import { orderOf, selectionOf, totalOf } from './browse'
import { changeOf, draftOf, draftProblems } from './draft'
import { itemChange, itemSelectionOf } from './items'

test('what the address says about the list', () => {
  expect(selectionOf({ folder: '/a/b/', search: ' x ' })).toEqual({ folder: 'a/b', search: 'x' })
  expect(selectionOf({ folder: '', search: ' ' })).toEqual({})
  expect(totalOf({ total: 2, folders: [{ name: 'a', datasets: 3, updatedAt: '' }] })).toBe(5)
})

test('only columns that the server knows are an order', () => {
  const state = (column: string) => ({ sort: { column, direction: 'asc' as const } })
  expect(orderOf(state('updated') as never)).toEqual({ by: 'updatedAt', direction: 'asc' })
  expect(orderOf(state('constructor') as never)).toBeUndefined()
})

test('only what differs is sent, and what is emptied is sent empty', () => {
  const saved = draftOf(
    {
      id: 'd',
      name: 'n',
      description: null,
      metadata: '{"a":1}',
      inputSchema: null,
      expectedOutputSchema: null,
      items: 0,
      createdAt: '',
      updatedAt: '',
    },
    (text) => text,
  )
  expect(changeOf({ ...saved, metadata: '' }, saved)).toEqual({ metadata: '' })
  expect(draftProblems({ ...saved, name: 'a//b' })).toHaveProperty('name')
  expect(draftProblems(saved)).toEqual({})
})

test('which items are asked for', () => {
  expect(itemSelectionOf({})).toEqual({ status: 'ACTIVE' })
  expect(itemSelectionOf({ status: 'archived', search: 'x' })).toEqual({
    status: 'ARCHIVED',
    search: 'x',
  })
  expect(itemSelectionOf({ status: 'all' }).status).toBeUndefined()
})

test('a new item has no base', () => {
  const empty = { input: '', expectedOutput: '', metadata: '' }
  expect(itemChange({ ...empty, input: '1' }, empty)).toEqual({ input: '1' })
})

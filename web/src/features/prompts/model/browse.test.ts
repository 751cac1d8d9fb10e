import { expect, test } from 'vitest'
import { isFiltered, orderOf, rowsOf, selectionOf, totalOf } from './browse'

test('an address without parameters shows everything by name', () => {
  const selection = selectionOf({})
  expect(selection).toEqual({ in: 'name' })
  expect(isFiltered(selection)).toBe(false)
})

test('an address says what is looked for, and what means nothing is left out', () => {
  expect(
    selectionOf({ folder: '/a/b/', search: ' x ', searchType: 'content', type: 'chat', tag: '' }),
  ).toEqual({ folder: 'a/b', search: 'x', in: 'content', type: 'chat' })
  expect(selectionOf({ type: 'image', searchType: 'id', search: '  ' })).toEqual({ in: 'name' })
})

test.each([{ search: 'x' }, { type: 'text' }, { label: 'l' }, { tag: 't' }])(
  '%o looks through all folders',
  (search) => expect(isFiltered(selectionOf(search))).toBe(true),
)

test('a folder alone is no filter', () => {
  expect(isFiltered(selectionOf({ folder: 'a' }))).toBe(false)
})

test('the list is sorted by what the server can sort by', () => {
  expect(orderOf({})).toBeUndefined()
  expect(orderOf({ sort: { column: 'latest', direction: 'desc' } })).toEqual({
    by: 'createdAt',
    direction: 'desc',
  })
  expect(orderOf({ sort: { column: 'name', direction: 'asc' } })?.by).toBe('name')
  expect(orderOf({ sort: { column: 'uses', direction: 'asc' } })).toBeUndefined()
})

test('a folder and a prompt of the same name are different rows', () => {
  const folder = { name: 'a', prompts: 2, latestAt: '' }
  const author = { id: 'API', name: null }
  const prompt = {
    name: 'a',
    type: 'text' as const,
    latest: { version: 1, createdAt: '', createdBy: author },
    labels: {},
    tags: [],
  }
  const rows = rowsOf([folder], [prompt])
  expect(rows.map((row) => row.kind)).toEqual(['folder', 'prompt'])
  expect(new Set(rows.map((row) => row.id)).size).toBe(2)
  expect(totalOf({ folders: [folder], total: 1 })).toBe(3)
})

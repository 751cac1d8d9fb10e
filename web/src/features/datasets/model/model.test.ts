import { expect, test } from 'vitest'
import { orderOf, selectionOf, totalOf } from './browse'
import { changeOf, draftOf, draftProblems } from './draft'
import { asOfIn, itemChange, itemSelectionOf } from './items'
import { differences, versionOptions, writtenText } from './versions'

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

test('versions in words', () => {
  const at = '2026-11-01T10:00:00.000Z'
  expect(writtenText({ at, items: 5, archived: 1, deleted: 1 })).toBe(
    '3 items written, 1 archived, 1 deleted',
  )
  expect(writtenText({ at, items: 1, archived: 0, deleted: 0 })).toBe('1 item written')
  const versions = [
    { at, status: 'DELETED' as const },
    { at: '2026-10-01T10:00:00.000Z', status: 'ACTIVE' as const },
  ]
  expect(versionOptions(versions, false, 'utc').map(({ label }) => label)).toEqual([
    '2. 2026-11-01 10:00:00 UTC (deleted)',
    '1. 2026-10-01 10:00:00 UTC (active)',
  ])
  expect(versionOptions(versions, true, 'utc')[1]?.label).toBe('2026-10-01 10:00:00 UTC (active)')
  const draft = { input: '1', expectedOutput: '', metadata: '' }
  expect(differences(draft, { ...draft, metadata: '2' })).toEqual([
    { field: 'metadata', label: 'Metadata' },
  ])
})

test('only a time is a version', () => {
  expect(asOfIn('2026-11-01T10:00:00Z')).toBe('2026-11-01T10:00:00.000Z')
  expect(asOfIn('yesterday')).toBeUndefined()
  expect(asOfIn(undefined)).toBeUndefined()
})

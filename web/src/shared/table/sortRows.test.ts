import { expect, test } from 'vitest'
import type { Column } from './columns'
import { sortRows } from './sortRows'

const rows = [
  { name: 'b10', size: 2 },
  { name: 'B9', size: null },
  { name: 'a', size: 10 },
]
const columns: Column<(typeof rows)[number]>[] = [
  { id: 'name', header: 'Name', sortable: true, cell: (row) => row.name },
  { id: 'size', header: 'Size', sortable: true, value: (row) => row.size, cell: () => 'as it is' },
  { id: 'fixed', header: 'Fixed', cell: (row) => row.name },
]
const names = (column?: string, direction: 'asc' | 'desc' = 'asc') =>
  sortRows(rows, column === undefined ? {} : { sort: { column, direction } }, columns).map(
    (row) => row.name,
  )

test('rows stay as they come without a sort, or with one that nothing is known about', () => {
  expect(names()).toEqual(['b10', 'B9', 'a'])
  expect(names('toString')).toEqual(['b10', 'B9', 'a'])
  expect(names('fixed')).toEqual(['b10', 'B9', 'a'])
})

test('texts sort as people do, numbers by size, and what is missing comes last', () => {
  expect(names('name')).toEqual(['a', 'B9', 'b10'])
  expect(names('name', 'desc')).toEqual(['b10', 'B9', 'a'])
  expect(names('size')).toEqual(['b10', 'a', 'B9'])
  expect(names('size', 'desc')).toEqual(['a', 'b10', 'B9'])
})

import { expect, test } from 'vitest'
import { sortRows } from './sortRows'

const rows = [
  { name: 'b10', size: 2 },
  { name: 'B9', size: null },
  { name: 'a', size: 10 },
]
const values = {
  name: (row: (typeof rows)[number]) => row.name,
  size: (row: (typeof rows)[number]) => row.size,
}
const names = (sort?: { column: string; direction: 'asc' | 'desc' }) =>
  sortRows(rows, { sort }, values).map((row) => row.name)

test('rows stay as they come without a sort, or with one that nothing is known about', () => {
  expect(names()).toEqual(['b10', 'B9', 'a'])
  expect(names({ column: 'toString', direction: 'asc' })).toEqual(['b10', 'B9', 'a'])
})

test('texts sort as people do, numbers by size, and what is missing comes last', () => {
  expect(names({ column: 'name', direction: 'asc' })).toEqual(['a', 'B9', 'b10'])
  expect(names({ column: 'name', direction: 'desc' })).toEqual(['b10', 'B9', 'a'])
  expect(names({ column: 'size', direction: 'asc' })).toEqual(['b10', 'a', 'B9'])
  expect(names({ column: 'size', direction: 'desc' })).toEqual(['a', 'b10', 'B9'])
})

import { expect, test } from 'vitest'
import { indentOf, isNumbered, leastForName, nameColumn, roomFor } from './indent'

const levels = Array.from({ length: 201 }, (_, level) => level)

test.each([
  // The tree beside the details, the panel beside a table, and a phone.
  ['timeline', 550],
  ['timeline', 390],
  ['tree', 550],
  ['tree', 320],
] as const)('in a %s of %i px names keep their width however deep they are', (view, pane) => {
  const column = nameColumn(view, pane)
  for (const level of levels)
    expect(column - indentOf(level, roomFor(column))).toBeGreaterThanOrEqual(leastForName)
})

test('a child is further in than its parent at any level', () => {
  const room = roomFor(nameColumn('timeline', 550))
  for (const level of levels.slice(1))
    expect(indentOf(level, room)).toBeGreaterThan(indentOf(level - 1, room))
})

test('where there is room, all levels have the same step and no number', () => {
  expect(levels.slice(0, 10).map((level) => indentOf(level, 300))).toEqual([
    0, 14, 28, 42, 56, 70, 84, 98, 112, 126,
  ])
  expect(levels.slice(0, 10).some((level) => isNumbered(level, 300))).toBe(false)
  expect(isNumbered(50, 300)).toBe(true)
})

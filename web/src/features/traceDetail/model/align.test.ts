import { expect, test } from 'vitest'
import { align, difference } from './align'
import { largeWireTree, wireTree, type Span } from './testing'
import { buildTree } from './tree'

const treeOf = (spans: Span[]) => buildTree(wireTree(spans))

test('the same names stand beside each other, and what is alone where it was', () => {
  const a = treeOf([
    { id: 'r', start: 0, end: 10, cost: 1 },
    { id: 'plan', parent: 'r', start: 1, end: 2 },
    { id: 'tool1', parent: 'r', start: 3, end: 4, name: 'tool' },
    { id: 'answer', parent: 'r', start: 8, end: 9 },
  ])
  const b = treeOf([
    { id: 'x', start: 0, end: 15, name: 'r', cost: 1.5 },
    { id: 'guard', parent: 'x', start: 0, end: 1 },
    { id: 'plan', parent: 'x', start: 1, end: 2 },
    { id: 't1', parent: 'x', start: 3, end: 4, name: 'tool' },
    { id: 't2', parent: 'x', start: 5, end: 6, name: 'tool' },
    { id: 'inner', parent: 't2', start: 5, end: 6 },
  ])
  const pairs = align(a, b)
  expect(pairs.map((pair) => [a.ids[pair.a] ?? '', b.ids[pair.b] ?? '', pair.depth])).toEqual([
    ['r', 'x', 0],
    ['', 'guard', 1],
    ['plan', 'plan', 1],
    ['tool1', 't1', 1],
    ['', 't2', 1],
    ['', 'inner', 2],
    ['answer', '', 1],
  ])
  const [root, guard] = pairs
  expect(root && difference(a, b, root)).toEqual({ time: 5, cost: 0.5, tokens: 0 })
  expect(guard && difference(a, b, guard)).toBeUndefined()
})

test('large trees and deep ones are aligned', () => {
  const wire = largeWireTree(20_000)
  const wide = buildTree(wire)
  expect(align(wide, wide)).toHaveLength(20_000)
  wire.columns.parent = wire.columns.id.map((_, at) => at - 1)
  const deep = buildTree(wire)
  expect(align(deep, wide).length).toBeGreaterThan(20_000)
})

import { expect, test } from 'vitest'
import { selfTimeOf, statistics } from './statistics'
import { wireTree, type Span } from './testing'
import { buildTree } from './tree'

const treeOf = (spans: readonly Span[]) => buildTree(wireTree(spans))
const selfTimes = (spans: readonly Span[]) => {
  const tree = treeOf(spans)
  return Object.fromEntries(tree.ids.map((id, row) => [id, selfTimeOf(tree, row)]))
}

test('the time of an observation without its children', () => {
  expect(
    selfTimes([
      { id: 'agent', start: 0, end: 100 },
      { id: 'search', parent: 'agent', start: 10, end: 40 },
      // At the same time as the one before, for a while.
      { id: 'read', parent: 'agent', start: 30, end: 60 },
      // Of a child, not of the agent.
      { id: 'fetch', parent: 'read', start: 35, end: 45 },
      // It outlives the agent.
      { id: 'store', parent: 'agent', start: 90, end: 150 },
    ]),
  ).toEqual({ agent: 40, search: 30, read: 20, fetch: 10, store: 60 })
})

test('a child that began before, or has not ended', () => {
  expect(
    selfTimes([
      { id: 'agent', start: 50, end: 100 },
      { id: 'early', parent: 'agent', start: 20, end: 60 },
      { id: 'open', parent: 'agent', start: 80 },
    ]),
  ).toEqual({ agent: 20, early: 40, open: 0 })
})

test('statistics add the self time of all of a name', () => {
  const found = statistics(
    treeOf([
      { id: 'a', name: 'agent', start: 0, end: 100 },
      { id: 'b', name: 'tool', parent: 'a', start: 0, end: 30 },
      { id: 'c', name: 'tool', parent: 'a', start: 40, end: 50 },
    ]),
  )
  expect(found.map(({ name, totalTime, selfTime }) => [name, totalTime, selfTime])).toEqual([
    ['agent', 100, 60],
    ['tool', 40, 40],
  ])
})

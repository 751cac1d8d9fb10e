import { describe, expect, test } from 'vitest'
import { criticalPath, selfTime, slowestRow } from './criticalPath'
import { statistics } from './statistics'
import { largeWireTree, wireTree, type Span } from './testing'
import { buildTree, childrenOf, durationOf, known, nameOf, totalDurationOf } from './tree'
import { foldedFrom, nextError, placeOf, traceRow, unfoldedTo, visibleRows } from './visible'

const agent: Span[] = [
  { id: 'root', start: 0, end: 100, type: 'AGENT' },
  { id: 'plan', parent: 'root', start: 5, end: 30, type: 'GENERATION', cost: 0.1, tokens: 10 },
  { id: 'tool', parent: 'root', start: 30, end: 40, type: 'TOOL' },
  { id: 'http', parent: 'tool', start: 31, end: 39, level: 'ERROR' },
  { id: 'aside', parent: 'root', start: 31, end: 50 },
  { id: 'answer', parent: 'root', start: 50, end: 98, type: 'GENERATION', cost: 0.2, tokens: 5 },
]

const rowsOf = (spans: readonly Span[]) => {
  const tree = buildTree(wireTree(spans))
  return { tree, shown: tree.ids.map((id, row) => `${' '.repeat(tree.depth[row] ?? 0)}${id}`) }
}

describe('buildTree', () => {
  test('rows are parents first, children by their start', () => {
    expect(rowsOf(agent).shown).toEqual(['root', ' plan', ' tool', '  http', ' aside', ' answer'])
  })

  test('totals include everything below', () => {
    const { tree } = rowsOf(agent)
    expect(known(tree.cost[0])).toBeUndefined()
    expect(tree.totalCost[0]).toBeCloseTo(0.3)
    expect(known(tree.totalCost[2])).toBeUndefined()
    expect(tree.totalTokens[0]).toBe(15)
    expect([...tree.errors]).toEqual([1, 0, 1, 1, 0, 0])
    expect(childrenOf(tree, 0).map((row) => tree.ids[row])).toEqual([
      'plan',
      'tool',
      'aside',
      'answer',
    ])
  })

  test('a missing parent makes a root', () => {
    expect(
      rowsOf([
        { id: 'a', start: 0, end: 1, parent: 'gone' },
        { id: 'b', start: 1, end: 2, parent: 'a' },
      ]).shown,
    ).toEqual(['a', ' b'])
  })

  test('circles and what is its own parent are cut', () => {
    expect(
      rowsOf([
        { id: 'self', start: 0, parent: 'self' },
        { id: 'a', start: 1, parent: 'c' },
        { id: 'b', start: 2, parent: 'a' },
        { id: 'c', start: 3, parent: 'b' },
        { id: 'd', start: 4, parent: 'c' },
      ]).shown,
    ).toEqual(['self', 'a', ' b', '  c', '   d'])
  })

  test('clocks that run backwards give no negative durations', () => {
    const { tree, shown } = rowsOf([
      { id: 'parent', start: 10, end: 20 },
      { id: 'early', parent: 'parent', start: 4, end: 2 },
      { id: 'late', parent: 'parent', start: 15, end: 40 },
      { id: 'open', parent: 'parent', start: 16 },
    ])
    expect(shown).toEqual(['parent', ' early', ' late', ' open'])
    expect(durationOf(tree, 1)).toBe(0)
    expect(durationOf(tree, 3)).toBeUndefined()
    expect(totalDurationOf(tree, 0)).toBe(30)
    expect([tree.from, tree.to]).toEqual([4, 40])
  })

  test('nothing is a tree, too', () => {
    const { tree } = rowsOf([])
    expect([tree.count, tree.from, tree.to]).toEqual([0, 0, 0])
    expect([...visibleRows(tree, new Set())]).toEqual([traceRow])
    expect(nextError(tree, traceRow)).toBeUndefined()
    expect(slowestRow(tree, criticalPath(tree))).toBeUndefined()
  })

  test('a chain of 100,000 and a broad tree of 100,000 are built', () => {
    const wide = buildTree(largeWireTree(100_000))
    expect(wide.size[0]).toBe(100_000)
    const wire = largeWireTree(100_000)
    wire.columns.parent = wire.columns.id.map((_, at) => at - 1)
    const deep = buildTree(wire)
    expect(deep.depth[99_999]).toBe(99_999)
    expect(deep.totalCost[0]).toBeCloseTo(33.334)
    expect(criticalPath(deep)[0]).toBe(1)
  })
})

describe('visible rows', () => {
  const { tree } = rowsOf(agent)

  test('what is below a folded row is left out, and found where it is folded into', () => {
    const visible = visibleRows(tree, new Set(['tool']))
    expect([...visible].map((row) => (row < 0 ? 'trace' : nameOf(tree, row)))).toEqual([
      'trace',
      'root',
      'plan',
      'tool',
      'aside',
      'answer',
    ])
    expect(placeOf(visible, 3)).toBe(3)
    expect(placeOf(visible, traceRow)).toBe(0)
    expect(placeOf(visible, 5)).toBe(5)
  })

  test('folds by level, and unfolds to a row', () => {
    expect(foldedFrom(tree, 1)).toEqual(new Set(['root', 'tool']))
    expect(foldedFrom(tree, 2)).toEqual(new Set(['tool']))
    expect(unfoldedTo(tree, foldedFrom(tree, 1), 3)).toEqual(new Set())
    expect(unfoldedTo(tree, foldedFrom(tree, 1), 1)).toEqual(new Set(['tool']))
  })

  test('goes round to the next error', () => {
    expect(nextError(tree, traceRow)).toBe(3)
    expect(nextError(tree, 3)).toBe(3)
    expect(nextError(tree, 5)).toBe(3)
    expect(nextError(tree, traceRow, -1)).toBe(3)
  })
})

describe('critical path', () => {
  test('is what the end waited for', () => {
    const { tree } = rowsOf(agent)
    const path = criticalPath(tree)
    expect(tree.ids.filter((_, row) => path[row] === 1)).toEqual([
      'root',
      'plan',
      'aside',
      'answer',
    ])
    const slowest = slowestRow(tree, path)
    expect(slowest === undefined ? '' : tree.ids[slowest]).toBe('answer')
  })

  test('own time is without children', () => {
    const { tree } = rowsOf(agent)
    expect(selfTime(tree, 0)).toBe(7)
    expect(selfTime(tree, 2)).toBe(2)
  })
})

test('statistics put names together', () => {
  const spans = Array.from({ length: 20 }, (_, at) => ({
    id: `s${at}`,
    start: 0,
    end: at + 1,
    name: 'search',
    level: at === 3 ? 'ERROR' : 'DEFAULT',
    cost: 0.5,
  }))
  const [search, ...others] = statistics(buildTree(wireTree([...spans, { id: 'x', start: 0 }])))
  expect(search).toMatchObject({
    name: 'search',
    count: 20,
    errors: 1,
    p50: 10,
    p95: 19,
    totalTime: 210,
    cost: 10,
    slowest: 19,
  })
  expect(others).toMatchObject([{ name: 'x', count: 1, p50: undefined, cost: undefined }])
})

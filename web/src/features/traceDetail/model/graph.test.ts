import { expect, test } from 'vitest'
import { buildGraph, mostNodes } from './graph'
import { wireTree, type Span } from './testing'
import { buildTree } from './tree'

function graphOf(spans: readonly Span[]) {
  const graph = buildGraph(buildTree(wireTree(spans)))
  if (!graph) return undefined
  const label = (id: number) => graph.nodes[id]?.name ?? '?'
  return {
    nodes: graph.nodes.map(({ name, rows }) => `${name} ${rows.length}`),
    edges: graph.edges.map(({ from, to, count }) => `${label(from)}>${label(to)} ${count}`),
    hasAll: graph.hasAll,
  }
}

const agent: Span[] = [
  { id: 'agent', start: 0, end: 100, type: 'AGENT' },
  { id: 'g1', parent: 'agent', start: 1, end: 10, type: 'GENERATION', name: 'model' },
  { id: 'wrap', parent: 'agent', start: 11, end: 30 },
  { id: 't1', parent: 'wrap', start: 12, end: 20, type: 'TOOL', name: 'search' },
  { id: 'e', parent: 't1', start: 13, type: 'EVENT' },
  { id: 'g2', parent: 'agent', start: 31, end: 40, type: 'GENERATION', name: 'model' },
  { id: 't2', parent: 'agent', start: 41, end: 50, type: 'TOOL', name: 'search' },
  { id: 'g3', parent: 'agent', start: 51, end: 60, type: 'GENERATION', name: 'model' },
]

test('steps of one name are one node; spans and events are none', () => {
  expect(graphOf(agent)).toEqual({
    nodes: ['agent 1', 'model 3', 'search 2'],
    edges: ['agent>model 1', 'model>search 2', 'search>model 2'],
    hasAll: false,
  })
})

test('steps at once come from the step that they are part of', () => {
  const spans: Span[] = [
    { id: 'agent', start: 0, end: 100, type: 'AGENT' },
    { id: 'a', parent: 'agent', start: 1, end: 50, type: 'TOOL' },
    { id: 'b', parent: 'agent', start: 2, end: 40, type: 'TOOL' },
    { id: 'c', parent: 'agent', start: 60, end: 70, type: 'TOOL' },
  ]
  expect(graphOf(spans)?.edges).toEqual(['agent>a 1', 'agent>b 1', 'a>c 1'])
})

test('what repeats itself has a count and no arrow to itself', () => {
  const spans: Span[] = [1, 2, 3].map((at) => ({
    id: `g${at}`,
    start: at * 10,
    end: at * 10 + 5,
    type: 'GENERATION',
    name: 'model',
  }))
  expect(graphOf(spans)).toEqual({ nodes: ['model 3'], edges: [], hasAll: false })
})

test('without steps, everything but events is one', () => {
  const spans: Span[] = [
    { id: 'root', start: 0, end: 9 },
    { id: 'a', parent: 'root', start: 1, end: 2 },
    { id: 'e', parent: 'root', start: 3, type: 'EVENT' },
  ]
  expect(graphOf(spans)).toEqual({ nodes: ['root 1', 'a 1'], edges: ['root>a 1'], hasAll: true })
})

test('cycles, clocks that run backwards, and what takes no time or has not ended', () => {
  const spans: Span[] = [
    { id: 'x', parent: 'y', start: 5, end: 1, type: 'TOOL' },
    { id: 'y', parent: 'x', start: 5, end: 5, type: 'TOOL' },
    { id: 'z', parent: 'gone', start: -3, type: 'AGENT' },
    { id: 'w', parent: 'z', start: -9, end: -12, type: 'TOOL' },
  ]
  expect(graphOf(spans)?.nodes.toSorted()).toEqual(['w 1', 'x 1', 'y 1', 'z 1'])
})

test('what is too large to be drawn says so', () => {
  const spans = (count: number): Span[] =>
    Array.from({ length: count }, (_, at) => ({ id: `t${at}`, start: at, end: at, type: 'TOOL' }))
  expect(graphOf(spans(mostNodes))?.nodes).toHaveLength(mostNodes)
  expect(graphOf(spans(mostNodes + 1))).toBeUndefined()
  const repeated = spans(20_000).map((span) => ({ ...span, name: 'tool' }))
  expect(graphOf(repeated)?.nodes).toEqual(['tool 20000'])
})

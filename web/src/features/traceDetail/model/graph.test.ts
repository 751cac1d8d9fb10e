import { expect, test } from 'vitest'
import { buildGraph } from './graph'
import { patternOf } from './graphGroups'
import { mostEdges, mostNodes } from './graphSize'
import { layout } from './layout'
import { largeWireTree, wireTree, type Span } from './testing'
import { buildTree } from './tree'

function graphOf(spans: readonly Span[]) {
  const graph = buildGraph(buildTree(wireTree(spans)))
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
  expect(graphOf(spans).edges).toEqual(['agent>a 1', 'agent>b 1', 'a>c 1'])
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
  expect(graphOf(spans).nodes.toSorted()).toEqual(['w 1', 'x 1', 'y 1', 'z 1'])
})

const tools = (count: number, nameOf: (at: number) => string): Span[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    start: at,
    end: at,
    type: 'TOOL',
    name: nameOf(at),
  }))

test('up to a bound each name is a node; beyond it, names that differ in numbers are one', () => {
  const most = buildGraph(buildTree(wireTree(tools(mostNodes, (at) => `step ${at}`))))
  expect([most.nodes.length, most.grouping]).toEqual([mostNodes, 'names'])
  const more = buildGraph(
    buildTree(wireTree(tools(mostNodes + 1, (at) => (at === 0 ? 'plan' : `step ${at}`)))),
  )
  expect(more.nodes.map(({ name, rows }) => `${name} ${rows.length}`)).toEqual([
    'plan 1',
    `step # ${mostNodes}`,
  ])
  expect([more.grouping, more.names]).toEqual(['patterns', mostNodes + 1])
  expect(graphOf(tools(5_000, () => 'tool')).nodes).toEqual(['tool 5000'])
})

test.each([
  ['fetch 12 of 300', 'fetch # of #'],
  ['run 7f3c9a10-22ab-4c5d-8e6f-0123456789ab', 'run #'],
  ['get_4bf92f3577b34da6', 'get_#bf#f#b#da#'],
  ['facade', 'facade'],
  ['deadbeef', 'deadbeef'],
])('the pattern of %s', (name, pattern) => expect(patternOf(name)).toBe(pattern))

/** A word for a number, without digits. */
const word = (at: number) =>
  String(at).replaceAll(/\d/gu, (digit) => 'abcdefghij'[Number(digit)] ?? '')

test('the rarest of too many names are put together by type, and the rarest arrows left out', () => {
  const spans = tools(4_000, (at) => (at % 2 ? 'often' : word((at * 7919) % 3001))).map(
    (span, at) => (at % 5 ? span : { ...span, type: 'GENERATION' }),
  )
  const graph = buildGraph(buildTree(wireTree(spans)))
  expect(graph.grouping).toBe('rest')
  expect(graph.nodes.length).toBeLessThanOrEqual(mostNodes)
  expect(graph.nodes.filter(({ name }) => name === 'Other names').map(({ type }) => type)).toEqual(
    expect.arrayContaining(['TOOL', 'GENERATION']),
  )
  expect(graph.nodes.some(({ name }) => name === 'often')).toBe(true)
  // No observation is lost.
  expect(graph.nodes.flatMap(({ rows }) => rows)).toHaveLength(4_000)
})

test('a trace of 30,000 observations has a graph that can be laid out', () => {
  const wire = largeWireTree(30_000)
  wire.dictionary.types = ['TOOL']
  wire.dictionary.names = Array.from({ length: 400 }, (_, at) => word(at))
  wire.columns.name = wire.columns.id.map((_, at) => (at * 7919) % 397)
  wire.columns.start = wire.columns.id.map((_, at) => at * 10)
  wire.columns.end = wire.columns.id.map((_, at) => at * 10)
  const { nodes, edges, leftOut } = buildGraph(buildTree(wire))
  expect(nodes.length).toBeLessThanOrEqual(mostNodes)
  expect(edges).toHaveLength(mostEdges)
  expect(leftOut).toBeGreaterThan(0)
  // Nothing that other steps lead to stands alone.
  expect(new Set(edges.map(({ to }) => to)).size).toBeGreaterThanOrEqual(nodes.length - 1)
  expect(layout({ count: nodes.length, edges }).edges).toHaveLength(mostEdges)
})

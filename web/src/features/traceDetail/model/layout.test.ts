import { expect, test } from 'vitest'
import { nodeHeight } from './graphSize'
import { layout } from './layout'

test('what follows stands below, and every edge has its points', () => {
  const { nodes, edges, width, height } = layout({
    count: 3,
    edges: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: 1 },
    ],
  })
  expect(nodes).toHaveLength(3)
  expect(edges.every((points) => points.length >= 2)).toBe(true)
  const [first, second] = nodes
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThan(nodeHeight)
  expect(width > 0 && height > 0).toBe(true)
})

test('nothing, and nodes without edges, have a place', () => {
  expect(layout({ count: 0, edges: [] }).nodes).toEqual([])
  expect(layout({ count: 2, edges: [] }).nodes).toHaveLength(2)
})

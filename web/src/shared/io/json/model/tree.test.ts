import { describe, expect, it } from 'vitest'
import { buildIndex, type JsonIndex } from './buildIndex'
import { labelOf, pathOf } from './path'
import { previewOf } from './preview'
import { initialFolding, revealing, rowOf, toggled, visibleRows, type Folding } from './rows'
import { hitNodes, marked, searchOffsets } from './search'
import { treeCommand } from './treeKeys'

const text = '{"a":[10,{"first name":"\\u5f53x"}],"b":"Say \\"hi\\"","c":[]}'
// 0 root, 1 a, 2 10, 3 {first name}, 4 first name, 5 b, 6 c

function indexOf(json: string): JsonIndex {
  const index = buildIndex(json)
  if (!index) throw new Error(`${json} is not JSON`)
  return index
}

const index = indexOf(text)
const document = { text, index }
const rowsOf = (folding: Folding) => {
  const { nodes, depths, count } = visibleRows(index, folding)
  return Array.from({ length: count }, (_, at) => [nodes[at], depths[at]])
}

describe('rows', () => {
  it('folds and unfolds', () => {
    const first: Folding = { level: 1, toggled: new Set() }
    expect(rowsOf(first)).toEqual([
      [0, 0],
      [1, 1],
      [5, 1],
      [6, 1],
    ])
    expect(rowsOf(toggled(first, 1)).map(([node]) => node)).toEqual([0, 1, 2, 3, 5, 6])
    expect(rowsOf(toggled(toggled(first, 1), 1))).toEqual(rowsOf(first))
    expect(rowsOf(toggled(first, 0))).toEqual([[0, 0]])
    expect(rowsOf(revealing(index, first, 4)).map(([node]) => node)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('unfolds as much as fits', () => {
    expect(rowsOf(initialFolding(index))).toHaveLength(7)
    expect(rowsOf(initialFolding(index, 5))).toHaveLength(4)
  })

  it('finds rows and says when there are too many', () => {
    const rows = visibleRows(index, { level: 1, toggled: new Set() })
    expect([0, 1, 4, 5, 6].map((node) => rowOf(rows, node))).toEqual([0, 1, -1, 2, 3])
    expect(visibleRows(index, { level: 9, toggled: new Set() }, 3)).toMatchObject({
      count: 3,
      isPartial: true,
    })
    expect(rows.isPartial).toBe(false)
  })

  it('shows many rows', () => {
    const many = indexOf(`[${'1,'.repeat(99_999)}1]`)
    expect(visibleRows(many, { level: 1, toggled: new Set() }).count).toBe(100_001)
  })
})

describe('paths and labels', () => {
  it.each([
    [0, '$', undefined],
    [1, '$.a', 'a'],
    [2, '$.a[0]', '0'],
    [4, '$.a[1]["first name"]', 'first name'],
  ])('of value %i', (node, path, label) => {
    expect(pathOf(document, node)).toBe(path)
    expect(labelOf(document, node)).toBe(label)
  })
})

describe('previews', () => {
  it.each([
    [0, 'object', '3 keys'],
    [1, 'array', '2 items'],
    [2, 'number', '10'],
    [4, 'string', '当x'],
    [6, 'array', '[]'],
  ])('of value %i', (node, kind, shown) => {
    expect(previewOf(document, node, 100)).toEqual({ kind, text: shown })
  })

  it('cut long texts between letters', () => {
    const long = `["${'\\u5f53'.repeat(10)}"]`
    const one = { text: long, index: indexOf(long) }
    expect(previewOf(one, 1, 15)).toEqual({ kind: 'string', text: '当当', length: 60 })
  })
})

describe('search', () => {
  it.each([
    ['当', [4]],
    ['当X', [4]],
    ['first', [4]],
    ['say "hi', [5]],
    ['10', [2]],
    ['a', [1, 4, 5]],
    ['nothing', []],
    ['":', []],
    [',', []],
    ['[', []],
    ['', []],
    ['.', []],
  ])('for %s', (query, nodes) => {
    expect(hitNodes(document, searchOffsets(text, query))).toEqual(nodes)
  })

  it('marks what was found', () => {
    expect(marked('a.B.b', 'b')).toEqual(['a.', 'B', '.', 'b', ''])
    expect(marked('a.b', '.')).toEqual(['a', '.', 'b'])
  })
})

describe('keys of the tree', () => {
  const folding: Folding = { level: 1, toggled: new Set() }
  const rows = visibleRows(index, folding)
  it.each([
    ['ArrowDown', 0, { kind: 'go', row: 1 }],
    ['ArrowDown', 6, { kind: 'go', row: 3 }],
    ['ArrowUp', 0, { kind: 'go', row: 0 }],
    ['ArrowRight', 1, { kind: 'toggle', node: 1 }],
    ['ArrowRight', 0, { kind: 'go', row: 1 }],
    ['ArrowRight', 5, undefined],
    ['ArrowLeft', 5, { kind: 'go', row: 0 }],
    ['ArrowLeft', 0, { kind: 'toggle', node: 0 }],
    ['Enter', 1, { kind: 'toggle', node: 1 }],
    ['Enter', 5, { kind: 'showWhole', node: 5 }],
    ['Enter', 6, undefined],
    ['End', 0, { kind: 'go', row: 3 }],
    ['PageDown', 0, { kind: 'go', row: 2 }],
    ['x', 0, undefined],
  ])('%s at %i', (key, current, command) => {
    expect(treeCommand(key, current, index, rows, folding, 2)).toEqual(command)
  })
})

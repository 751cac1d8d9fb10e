import { describe, expect, test } from 'vitest'
import {
  isShown,
  moveColumn,
  nextSort,
  orderColumns,
  placeColumns,
  resizeColumn,
  toggleColumn,
  togglePin,
  type Column,
} from './columns'
import { commandOf } from './keys'
import {
  isAllSelected,
  keepExisting,
  noSelection,
  selectTo,
  toggleAll,
  toggleRow,
} from './selection'
import { decodeTableState, encodeTableState, type TableState } from './tableState'

const column = (id: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  id,
  header: id,
  cell: () => id,
  ...more,
})
const columns = [
  column('a', { width: 100, required: true }),
  column('b'),
  column('c', { hiddenAtFirst: true }),
  column('d'),
]
const ids = (list: readonly Column<unknown>[]) => list.map((each) => each.id).join('')
const placed = (state: TableState) => placeColumns(columns, state, 30)

describe('the state in the address', () => {
  test('what is encoded is decoded', () => {
    const state: TableState = {
      sort: { column: 'name', direction: 'desc' },
      order: ['b', 'a'],
      hidden: ['d'],
      shown: ['c'],
      pinned: ['a'],
      widths: { a: 120, b: 80 },
    }
    expect(decodeTableState(encodeTableState(state))).toEqual(state)
    expect(encodeTableState({})).toEqual({})
  })
  test.each([
    [{ sort: 'name' }, {}],
    [{ sort: '.desc' }, {}],
    [{ cols: ',,' }, {}],
    [{ cols: 'a,a,b' }, { order: ['a', 'b'] }],
    [{ w: 'a:x,:5,b:9,c:99999' }, { widths: { b: 48, c: 1200 } }],
  ])('%o is %o', (search, state) => expect(decodeTableState(search)).toEqual(state))
})

describe('columns', () => {
  test('keep the order of the page unless somebody changed it', () => {
    expect(ids(orderColumns(columns, {}))).toBe('abcd')
    expect(ids(orderColumns(columns, { order: ['d', 'gone', 'a'] }))).toBe('dabc')
    expect(ids(orderColumns(columns, { pinned: ['b'] }))).toBe('bacd')
  })
  test('are shown, hidden and shown again', () => {
    const [, b, c] = columns
    if (!b || !c) throw new Error('no columns')
    expect(isShown(c, {})).toBe(false)
    const shown = toggleColumn(c, {})
    expect(isShown(c, shown)).toBe(true)
    expect(isShown(c, toggleColumn(c, shown))).toBe(false)
    const hidden = toggleColumn(b, {})
    expect(isShown(b, hidden)).toBe(false)
    expect(isShown(b, toggleColumn(b, hidden))).toBe(true)
    expect(isShown(column('x', { required: true }), { hidden: ['x'] })).toBe(true)
  })
  test('stick where they are pinned', () => {
    const state = togglePin('b', togglePin('a', {}))
    expect(placed(state).map((each) => [each.column.id, each.left, each.isLastPinned])).toEqual([
      ['a', 30, false],
      ['b', 130, true],
      ['d', undefined, false],
    ])
    expect(togglePin('a', state).pinned).toEqual(['b'])
  })
  test('move by one place and stop at the ends', () => {
    expect(moveColumn(columns, {}, 'b', 1).order).toEqual(['a', 'c', 'b', 'd'])
    expect(moveColumn(columns, {}, 'a', -1)).toEqual({})
    expect(moveColumn(columns, {}, 'd', 1)).toEqual({})
  })
  test('have a smallest and a largest width', () => {
    expect(resizeColumn('a', 10, {}).widths).toEqual({ a: 48 })
    expect(resizeColumn('a', 5000, { widths: { b: 60 } }).widths).toEqual({ a: 1200, b: 60 })
  })
  test('sort down, up, and not at all', () => {
    const down = nextSort('a', undefined)
    expect(down).toEqual({ column: 'a', direction: 'desc' })
    const up = nextSort('a', down)
    expect(up).toEqual({ column: 'a', direction: 'asc' })
    expect(nextSort('a', up)).toBeUndefined()
    expect(nextSort('b', up)).toEqual({ column: 'b', direction: 'desc' })
  })
})

describe('selection', () => {
  const order = ['r0', 'r1', 'r2', 'r3', 'r4']
  test('toggles, extends in both directions, and takes all', () => {
    const one = toggleRow(noSelection, 'r3')
    expect([...selectTo(one, 'r1', order).ids].sort()).toEqual(['r1', 'r2', 'r3'])
    expect([...selectTo(selectTo(one, 'r4', order), 'r2', order).ids].sort()).toEqual([
      'r2',
      'r3',
      'r4',
    ])
    expect([...selectTo(noSelection, 'r2', order).ids]).toEqual(['r2'])
    expect(toggleRow(one, 'r3').ids.size).toBe(0)
    const all = toggleAll(one, order)
    expect(isAllSelected(all, order)).toBe(true)
    expect(toggleAll(all, order).ids.size).toBe(0)
    expect(isAllSelected(noSelection, [])).toBe(false)
  })
  test('forgets rows that are gone', () => {
    const all = toggleAll(noSelection, order)
    expect([...keepExisting(all, ['r1']).ids]).toEqual(['r1'])
    expect(keepExisting(all, order)).toBe(all)
  })
})

describe('keys', () => {
  const press = (key: string, more = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  })
  test.each([
    ['j', 2, { kind: 'move', to: 3 }],
    ['ArrowDown', 9, { kind: 'move', to: 9 }],
    ['k', 0, { kind: 'move', to: 0 }],
    ['j', -1, { kind: 'move', to: 0 }],
    ['k', -1, { kind: 'move', to: 0 }],
    ['PageDown', 2, { kind: 'move', to: 7 }],
    ['PageUp', 2, { kind: 'move', to: 0 }],
    ['Home', 5, { kind: 'move', to: 0 }],
    ['End', 5, { kind: 'move', to: 9 }],
    ['Enter', 5, { kind: 'open' }],
    ['Enter', -1, undefined],
    ['x', 5, { kind: 'toggle' }],
    ['Escape', 5, { kind: 'leave' }],
    ['q', 5, undefined],
  ])('%s at %d', (key, current, want) =>
    expect(commandOf(press(key), current, 10, 5)).toEqual(want),
  )
  test('with modifiers', () => {
    expect(commandOf(press('J', { shiftKey: true }), 2, 10, 5)).toEqual({ kind: 'extend', to: 3 })
    expect(commandOf(press('a', { ctrlKey: true }), 2, 10, 5)).toEqual({ kind: 'selectAll' })
    expect(commandOf(press('j', { metaKey: true }), 2, 10, 5)).toBeUndefined()
    expect(commandOf(press('j', { altKey: true }), 2, 10, 5)).toBeUndefined()
    expect(commandOf(press('j'), -1, 0, 5)).toBeUndefined()
  })
})

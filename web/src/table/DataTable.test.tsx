import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Column } from './columns'
import { DataTable } from './DataTable'
import type { TableState } from './tableState'

type Row = { id: string; name: string; size: number }

const rows: Row[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `r${index}`,
  name: `row ${index}`,
  size: index,
}))
const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', required: true, sortable: true, cell: (row) => row.name },
  { id: 'size', header: 'Size', align: 'end', cell: (row) => row.size },
  { id: 'id', header: 'Id', hiddenAtFirst: true, cell: (row) => row.id },
]

// Nothing is laid out in tests: everything is as high as a window with some twenty rows.
beforeEach(() => {
  for (const [name, size] of [
    ['clientHeight', 600],
    ['clientWidth', 800],
  ] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size })
  }
})

type Given = Partial<Parameters<typeof DataTable<Row>>[0]>

function Table(given: Given) {
  const [state, setState] = useState<TableState>({})
  return (
    <DataTable
      label="Things"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      state={state}
      onStateChange={setState}
      empty={<p>No things yet</p>}
      {...given}
    />
  )
}

const selectable: Given = { selectionBar: (ids) => <span>{ids.join(' ')}</span> }
const current = () => {
  const id = screen.getByRole('grid').getAttribute('aria-activedescendant')
  return id === null ? null : document.getElementById(id)?.textContent
}

describe('rows', () => {
  test('only those in sight are drawn, however many there are', () => {
    render(<Table />)
    expect(screen.getByRole('grid', { name: 'Things' }).getAttribute('aria-rowcount')).toBe('10001')
    expect(screen.getAllByRole('row').length).toBeLessThan(60)
    expect(screen.getByRole('status').textContent).toBe('10000 rows')
  })
  test('none, loading and failed are told apart', () => {
    const { rerender } = render(<Table rows={[]} />)
    expect(screen.getByText('No things yet')).toBeTruthy()
    rerender(<Table rows={undefined} />)
    expect(screen.queryByText('No things yet')).toBeNull()
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true')
    rerender(<Table rows={undefined} error={<p>It failed</p>} />)
    expect(screen.getByText('It failed')).toBeTruthy()
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('false')
  })
})

describe('the keyboard', () => {
  test('J, K and arrows walk, Enter opens, Esc closes', async () => {
    const onOpen = vi.fn()
    const onClose = vi.fn()
    render(<Table onOpen={onOpen} onClose={onClose} />)
    screen.getByRole('grid').focus()
    await userEvent.keyboard('jjj')
    expect(current()).toContain('row 2')
    await userEvent.keyboard('k{ArrowUp}')
    expect(current()).toContain('row 0')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1])
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })
  test('with a panel open the panel follows', async () => {
    const onOpen = vi.fn()
    render(<Table onOpen={onOpen} openId="r0" />)
    screen.getByRole('grid').focus()
    await userEvent.keyboard('jj')
    expect(onOpen.mock.calls.map(([row]) => row.id)).toEqual(['r0', 'r1'])
  })
  test('X selects, Shift extends, Ctrl+A takes all, Esc clears', async () => {
    render(<Table {...selectable} />)
    screen.getByRole('grid').focus()
    await userEvent.keyboard('jx')
    expect(screen.getByText('1 selected')).toBeTruthy()
    await userEvent.keyboard('{Shift>}jj{/Shift}')
    expect(screen.getByText('r0 r1 r2')).toBeTruthy()
    await userEvent.keyboard('{Control>}a{/Control}')
    expect(screen.getByText('10000 selected')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByText(/selected/)).toBeNull()
  })
  test('keys in a control of a cell are for that control', async () => {
    const onOpen = vi.fn()
    const withInput = [
      ...columns,
      { id: 'note', header: 'Note', cell: () => <input aria-label="note" /> },
    ]
    render(<Table columns={withInput} rows={rows.slice(0, 1)} onOpen={onOpen} />)
    await userEvent.click(screen.getByLabelText('note'))
    await userEvent.keyboard('jx{Enter}')
    expect(current()).toBeNull()
    expect(onOpen).not.toHaveBeenCalled()
  })
})

describe('the mouse', () => {
  test('a press opens, Ctrl selects, Shift extends', async () => {
    const onOpen = vi.fn()
    render(<Table {...selectable} onOpen={onOpen} />)
    const user = userEvent.setup()
    await user.click(screen.getByText('row 1'))
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1])
    await user.keyboard('{Control>}')
    await user.click(screen.getByText('row 2'))
    await user.keyboard('{/Control}{Shift>}')
    await user.click(screen.getByText('row 4'))
    await user.keyboard('{/Shift}')
    expect(screen.getByText('r2 r3 r4')).toBeTruthy()
    expect(onOpen).toHaveBeenCalledOnce()
  })
})

describe('columns', () => {
  test('sort down, up and not at all', async () => {
    render(<Table />)
    const head = () => screen.getByRole('columnheader', { name: /Name/ })
    await userEvent.click(within(head()).getByRole('button', { name: 'Name' }))
    expect(head().getAttribute('aria-sort')).toBe('descending')
    await userEvent.click(within(head()).getByRole('button', { name: 'Name' }))
    expect(head().getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(within(head()).getByRole('button', { name: 'Name' }))
    expect(head().getAttribute('aria-sort')).toBeNull()
  })
  test('are resized by keyboard', async () => {
    render(<Table />)
    const edge = screen.getByRole('separator', { name: 'Width of Size' })
    edge.focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
    expect(
      screen.getByRole('separator', { name: 'Width of Size' }).getAttribute('aria-valuenow'),
    ).toBe('176')
  })
  test('are shown, moved and pinned in the menu', async () => {
    render(<Table />)
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Id' }))
    await userEvent.click(screen.getByRole('button', { name: 'Move Id left' }))
    await userEvent.click(screen.getByRole('button', { name: 'Pin Size' }))
    await userEvent.keyboard('{Escape}')
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
    expect(heads).toEqual(['Size', 'Name', 'Id'])
  })
})

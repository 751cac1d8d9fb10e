import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { DataTable, type DataTableProps } from './DataTable'
import type { CellValue, Column } from './columns'

type Row = { id: string; name: string }

const rows: Row[] = Array.from({ length: 10_000 }, (_, at) => ({ id: `r${at}`, name: `row ${at}` }))
const cell = vi.fn<(row: Row) => string>()
const columns: Column<Row>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 100,
    cell,
    filterValues: (row) => [{ column: 'called', value: row.name }],
  },
]
const rowId = (row: Row) => row.id
const state = {}

type ExampleProps = Partial<
  Pick<
    DataTableProps<Row>,
    'rows' | 'onOpen' | 'hrefOf' | 'onFilter' | 'resetKey' | 'state' | 'isStale'
  >
>

function Example({ rows: shown = rows, ...props }: ExampleProps) {
  return (
    <DataTable
      label="Examples"
      columns={columns}
      rows={shown}
      rowId={rowId}
      state={state}
      {...props}
      onStateChange={() => {}}
      selectionBar={() => null}
      empty={null}
    />
  )
}

beforeEach(() => {
  history.replaceState({ key: 'this' }, '')
  cell.mockReset()
  cell.mockImplementation((row) => row.name)
  // There is no layout in tests.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
})

const drawn = () => cell.mock.calls.map(([row]) => row.name)
const scrollTo = (top: number) => {
  const grid = screen.getByRole('grid')
  grid.scrollTop = top
  fireEvent.scroll(grid)
}

test('scrolling draws the rows that come into sight, and none again', () => {
  render(<Example />)
  const before = new Set(drawn())
  expect(before.has('row 0')).toBe(true)
  expect(before.size).toBeLessThan(60)
  cell.mockClear()
  scrollTo(10 * 32)
  expect(drawn()).toHaveLength(10)
  expect(drawn().filter((name) => before.has(name))).toEqual([])
})

test('pages are loaded until the list is full, without anybody scrolling', () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(75 * 32)
  function Paged() {
    const [count, setCount] = useState(50)
    return (
      <DataTable
        label="Examples"
        columns={columns}
        rows={rows.slice(0, count)}
        rowId={rowId}
        state={state}
        onStateChange={() => {}}
        onNearEnd={() => setCount(count + 50)}
        empty={null}
      />
    )
  }
  render(<Paged />)
  screen.getByText('150+ rows')
})

test('picking a row draws that row', () => {
  render(<Example />)
  cell.mockClear()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 3' }))
  expect(screen.getByRole('row', { selected: true }).textContent).toBe('row 2')
  expect(drawn()).toEqual(['row 2'])
})

test('a drag of a column that is interrupted leaves its width', () => {
  const onStateChange = vi.fn()
  HTMLElement.prototype.setPointerCapture ??= () => {}
  render(
    <DataTable
      label="Examples"
      columns={columns}
      rows={rows}
      rowId={rowId}
      state={state}
      onStateChange={onStateChange}
      empty={null}
    />,
  )
  const edge = screen.getByRole('separator', { name: 'Width of Name' })
  const width = () => edge.getAttribute('aria-valuenow')
  fireEvent.pointerDown(edge, { pointerId: 1, clientX: 100 })
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 300 })
  expect(width()).not.toBe('100')
  fireEvent.pointerCancel(edge, { pointerId: 1 })
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 400 })
  expect(width()).toBe('100')
  expect(onStateChange).not.toHaveBeenCalled()
})

test('who comes back finds the list where it was, with what was picked', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { unmount } = render(<Example />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 3' }))
  scrollTo(5000 * 32)
  fireEvent(screen.getByRole('grid'), new Event('scrollend'))
  vi.advanceTimersByTime(100)
  unmount()

  // Another history entry has no place to restore.
  const left: unknown = history.state
  history.replaceState({ key: 'other' }, '')
  const other = render(<Example />)
  screen.getByText('row 0')
  other.unmount()

  history.replaceState(left, '')
  render(<Example />)
  screen.getByText('row 5000')
  screen.getByText('1 selected')
})

test('the keys stay at a row that others are put above, and go to the next where it is gone', () => {
  const onOpen = vi.fn<(row: Row) => void>()
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('grid'), { key })
  const opened = () => onOpen.mock.lastCall?.[0].name
  const { rerender } = render(<Example onOpen={onOpen} />)
  press('j')
  press('j')
  press('Enter')
  expect(opened()).toBe('row 1')
  const more = [{ id: 'new', name: 'new' }, ...rows]
  rerender(<Example onOpen={onOpen} rows={more} />)
  press('Enter')
  expect(opened()).toBe('row 1')
  press('x')
  expect(screen.getByRole('row', { selected: true }).textContent).toBe('row 1')
  press('j')
  press('Enter')
  expect(opened()).toBe('row 2')
  rerender(<Example onOpen={onOpen} rows={more.filter(({ id }) => id !== 'r2')} />)
  press('Enter')
  expect(opened()).toBe('row 3')
})

test('rows of another order or resetKey are shown from the first on, when they are there', () => {
  const top = () => screen.getByRole('grid').scrollTop
  const { rerender } = render(<Example resetKey="a" />)
  scrollTo(3000 * 32)
  // More rows, updated rows and other columns do not change the query.
  rerender(<Example resetKey="a" rows={[...rows, { id: 'more', name: 'more' }]} />)
  rerender(<Example resetKey="a" state={{ hidden: ['other'] }} />)
  expect(top()).toBe(3000 * 32)

  const sorted = { sort: { column: 'name', direction: 'desc' as const } }
  rerender(<Example resetKey="a" state={sorted} isStale />)
  expect(top()).toBe(3000 * 32)
  rerender(<Example resetKey="a" state={sorted} rows={rows.toReversed()} />)
  expect(top()).toBe(0)

  scrollTo(2000 * 32)
  rerender(<Example resetKey="b" state={sorted} />)
  expect(top()).toBe(0)
})

test('who goes back to an earlier resetKey finds the place of that time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { rerender } = render(<Example resetKey="a" />)
  scrollTo(3000 * 32)
  fireEvent(screen.getByRole('grid'), new Event('scrollend'))
  vi.advanceTimersByTime(100)
  const left: unknown = history.state
  history.replaceState({ key: 'other' }, '')
  rerender(<Example resetKey="b" />)
  expect(screen.getByRole('grid').scrollTop).toBe(0)
  history.replaceState(left, '')
  rerender(<Example resetKey="a" />)
  expect(screen.getByRole('grid').scrollTop).toBe(3000 * 32)
})

const two = rows.slice(0, 2)
const grouped: Column<Row>[] = [
  { id: 'name', header: 'Name', width: 100, total: 'All', cell: (row) => row.name },
  { id: 'a', header: 'Cost', width: 50, under: 'Before', total: '3', cell: () => '1' },
  { id: 'b', header: 'Tokens', width: 50, under: 'Before', cell: () => '2' },
]

function Expandable() {
  return (
    <DataTable
      label="Examples"
      columns={grouped}
      rows={two}
      rowId={rowId}
      state={state}
      onStateChange={() => {}}
      isWrapped
      detail={(row) => `All about ${row.name}`}
      empty={null}
    />
  )
}

test('columns share a header, and totals stand below the rows', () => {
  render(<Expandable />)
  const grid = screen.getByRole('grid')
  const before = screen.getByRole('columnheader', { name: 'Before' })
  expect(before.getAttribute('aria-colspan')).toBe('2')
  expect(grid.getAttribute('aria-rowcount')).toBe('4')
  const texts = screen.getAllByRole('row').map((row) => row.textContent)
  expect(texts).toEqual(['Before', 'NameCostTokens', 'row 012', 'row 112', 'All3'])
  expect(screen.getByText('row 0').closest('[role=row]')?.getAttribute('aria-rowindex')).toBe('3')
})

test('rows are expanded and collapsed by buttons and by keys', () => {
  render(<Expandable />)
  const button = screen.getByRole('button', { name: 'Details of row 2', expanded: false })
  fireEvent.click(button)
  screen.getByText('All about row 1')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  const grid = screen.getByRole('grid')
  fireEvent.keyDown(grid, { key: 'j' })
  fireEvent.keyDown(grid, { key: 'ArrowRight' })
  screen.getByText('All about row 0')
  fireEvent.keyDown(grid, { key: 'ArrowRight' })
  fireEvent.keyDown(grid, { key: 'ArrowLeft' })
  expect(screen.queryByText('All about row 0')).toBeNull()
  screen.getByText('All about row 1')
})

test('a row is a link, whose plain click opens the row and whose other clicks are left to the browser', () => {
  const onOpen = vi.fn<(row: Row) => void>()
  cell.mockImplementation((row) => (row.id === 'r4' ? '' : row.name))
  render(<Example onOpen={onOpen} hrefOf={({ id }) => `/rows/${id}`} />)
  const link = screen.getByRole('gridcell', { name: 'row 3' })
  // A link has a name even where its cell shows nothing.
  screen.getByRole('gridcell', { name: 'Name: none' })
  expect(link.getAttribute('href')).toBe('/rows/r3')
  expect(link.tabIndex).toBe(-1)
  // fireEvent returns false where the browser's own action was prevented.
  expect(fireEvent.click(link)).toBe(false)
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[3])
  expect(fireEvent.click(link, { shiftKey: true })).toBe(false)
  expect(onOpen).toHaveBeenCalledOnce()
  screen.getByText('1 selected')
  // In a new tab.
  const inNewTab = vi.fn<(event: Event) => void>((event) => {
    expect(event.defaultPrevented).toBe(false)
    event.preventDefault()
  })
  document.addEventListener('click', inNewTab)
  onTestFinished(() => document.removeEventListener('click', inNewTab))
  fireEvent.click(link, { ctrlKey: true })
  fireEvent.click(link, { metaKey: true })
  expect(inNewTab).toHaveBeenCalledTimes(2)
  expect(onOpen).toHaveBeenCalledOnce()
})

test('the value of a cell under the pointer, or of the current row, is a way to filter', async () => {
  const user = userEvent.setup({ delay: null })
  const onFilter = vi.fn<(value: CellValue, isExcluded: boolean) => void>()
  render(<Example onFilter={onFilter} />)
  const button = () => screen.queryByRole('button', { name: 'Filter by this value' })
  expect(button()).toBeNull()
  fireEvent.pointerOver(screen.getByText('row 3'))
  await user.click(screen.getByRole('button', { name: 'Filter by this value' }))
  await user.click(screen.getByRole('menuitem', { name: 'Exclude row 3' }))
  expect(onFilter).toHaveBeenLastCalledWith({ column: 'called', value: 'row 3' }, true)
  await waitFor(() => expect(button()).toBeNull())

  await waitFor(() => expect(document.activeElement).toBe(document.body))
  screen.getByRole('grid').focus()
  await user.keyboard('j')
  await user.keyboard('f')
  await user.click(await screen.findByRole('menuitem', { name: 'Filter by Name: row 0' }))
  expect(onFilter).toHaveBeenLastCalledWith({ column: 'called', value: 'row 0' }, false)
  expect(onFilter).toHaveBeenCalledTimes(2)
})

test.each([
  [
    'Esc at the box that was ticked last',
    () => fireEvent.keyDown(screen.getByLabelText('Select row 2'), { key: 'Escape' }),
  ],
  [
    'the button beside the number',
    () => fireEvent.click(screen.getByRole('button', { name: 'Clear the selection (Esc)' })),
  ],
])('%s takes back the selection', async (_, leave) => {
  const user = userEvent.setup()
  render(<Example />)
  await user.click(screen.getByLabelText('Select row 1'))
  await user.click(screen.getByLabelText('Select row 2'))
  screen.getByText('2 selected')
  leave()
  expect(screen.queryByText(/selected/)).toBeNull()
})

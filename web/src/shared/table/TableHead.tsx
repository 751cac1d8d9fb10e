import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef, useState, type PointerEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { Checkbox } from '@/shared/ui'
import { columnRuns, nextSort, resizeColumn, widthOf, type PlacedColumn } from './columns'
import { expandWidth, selectWidth } from './leadingWidth'
import { cellStyle } from './cellStyle'
import { clampWidth, type TableState } from './tableState'

type TableHeadProps<Row> = {
  placed: readonly PlacedColumn<Row>[]
  state: TableState
  onStateChange: (state: TableState) => void
  select: { isAll: boolean; isSome: boolean; onToggle: () => void } | undefined
  isExpandable: boolean
}

/** The column headers: click to sort, drag or use the arrow keys at the edge to resize. */
export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { placed, state, onStateChange, select, isExpandable } = props
  const leading = (select ? selectWidth : 0) + (isExpandable ? expandWidth : 0)
  const head = (
    <div role="row" className={cx(!hasGroups(placed) && sticky, headRow)}>
      {select && (
        <div
          role="columnheader"
          aria-label="Selection"
          className="z-head sticky left-0 flex shrink-0 items-center justify-center bg-surface-1"
          style={{ width: selectWidth }}
        >
          <Checkbox
            aria-label="Select all rows"
            isSelected={select.isAll}
            isIndeterminate={select.isSome && !select.isAll}
            onChange={select.onToggle}
          />
        </div>
      )}
      {isExpandable && (
        <div
          role="columnheader"
          aria-label="Details"
          className="z-head sticky shrink-0 bg-surface-1"
          style={{ width: expandWidth, left: select ? selectWidth : 0 }}
        />
      )}
      {placed.map((each) => (
        <Head key={each.column.id} placed={each} state={state} onStateChange={onStateChange} />
      ))}
    </div>
  )
  if (!hasGroups(placed)) return head
  return (
    <div role="rowgroup" className={cx(sticky, 'w-max min-w-full')}>
      <Groups placed={placed} leading={leading} />
      {head}
    </div>
  )
}

const sticky = 'z-head sticky top-0'
const headRow = 'flex w-max min-w-full border-b border-border bg-surface-1'

/** Whether columns share headers. */
export function hasGroups<Row>(placed: readonly PlacedColumn<Row>[]): boolean {
  return placed.some(({ column }) => column.under !== undefined)
}

/** The row of headers that columns share. */
function Groups<Row>({
  placed,
  leading,
}: {
  placed: readonly PlacedColumn<Row>[]
  leading: number
}) {
  return (
    <div role="row" className={headRow}>
      {leading > 0 && (
        <div
          role="columnheader"
          aria-label="Selection and details"
          className="z-head sticky left-0 shrink-0 bg-surface-1"
          style={{ width: leading }}
        />
      )}
      {columnRuns(placed).map(({ name, columns }) => (
        <div
          key={columns[0]?.column.id}
          role="columnheader"
          aria-colspan={columns.length}
          className={cx(
            'flex h-7 shrink-0 items-center px-3 text-sm font-medium text-text-2',
            columns[0]?.left !== undefined && 'z-head sticky bg-surface-1',
            name !== undefined && 'border-l border-border',
            columns.at(-1)?.isLastPinned && 'border-r border-border',
          )}
          style={{
            width: widthOf(columns, 0),
            left: columns[0]?.left,
            flexGrow: columns.filter((each) => each.column.grows && each.left === undefined).length,
          }}
        >
          <span className="truncate">{name}</span>
        </div>
      ))}
    </div>
  )
}

function Head<Row>({
  placed,
  state,
  onStateChange,
}: {
  placed: PlacedColumn<Row>
  state: TableState
  onStateChange: (state: TableState) => void
}) {
  const { column } = placed
  const direction = state.sort?.column === column.id ? state.sort.direction : undefined
  const drag = useRef<{ from: number; width: number } | undefined>(undefined)
  const [dragged, setDragged] = useState<number | undefined>(undefined)

  const widthAt = (event: PointerEvent) =>
    clampWidth(
      (drag.current?.width ?? placed.width) + event.clientX - (drag.current?.from ?? event.clientX),
    )
  return (
    <div
      role="columnheader"
      aria-sort={
        direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'
      }
      className={cx(
        'relative flex h-8 shrink-0 items-center px-3 text-sm font-medium text-text-3',
        column.align === 'end' && 'justify-end',
        placed.left !== undefined && 'z-head sticky bg-surface-1',
        placed.isLastPinned && 'border-r border-border',
        column.grows && placed.left === undefined && 'grow',
      )}
      style={cellStyle(dragged === undefined ? placed : { ...placed, width: dragged })}
    >
      {column.sortable ? (
        <button
          type="button"
          onClick={() => onStateChange({ ...state, sort: nextSort(column.id, state.sort) })}
          className="flex min-w-0 items-center gap-1 rounded-sm hover:text-text-1"
        >
          <span className="truncate">{column.header}</span>
          {direction === 'asc' && <ArrowUp aria-hidden className="size-3.5 shrink-0" />}
          {direction === 'desc' && <ArrowDown aria-hidden className="size-3.5 shrink-0" />}
        </button>
      ) : (
        <span className="truncate">{column.header}</span>
      )}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${column.header}`}
        aria-valuenow={Math.round(dragged ?? placed.width)}
        aria-valuemin={clampWidth(0)}
        aria-valuemax={clampWidth(Number.MAX_VALUE)}
        tabIndex={0}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0
          if (by === 0) return
          event.preventDefault()
          event.stopPropagation()
          onStateChange(resizeColumn(column.id, placed.width + by, state))
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const box = event.currentTarget.parentElement?.getBoundingClientRect()
          drag.current = { from: event.clientX, width: box?.width ?? placed.width }
        }}
        onPointerMove={(event) => drag.current && setDragged(widthAt(event))}
        onPointerUp={(event) => {
          if (!drag.current) return
          const width = widthAt(event)
          drag.current = undefined
          setDragged(undefined)
          if (width !== placed.width) onStateChange(resizeColumn(column.id, width, state))
        }}
        onPointerCancel={() => {
          drag.current = undefined
          setDragged(undefined)
        }}
        className="absolute inset-y-1 right-0 w-1.5 cursor-col-resize touch-none rounded-sm hover:bg-accent/50"
      />
    </div>
  )
}

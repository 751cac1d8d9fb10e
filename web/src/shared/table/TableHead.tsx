import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef, useState, type PointerEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { Checkbox } from '@/shared/ui'
import { nextSort, resizeColumn, type PlacedColumn } from './columns'
import { selectWidth } from './selectWidth'
import { cellStyle } from './cellStyle'
import { clampWidth, type TableState } from './tableState'

type TableHeadProps<Row> = {
  placed: readonly PlacedColumn<Row>[]
  state: TableState
  onStateChange: (state: TableState) => void
  select: { isAll: boolean; isSome: boolean; onToggle: () => void } | undefined
}

/** The column headers: click to sort, drag or use the arrow keys at the edge to resize. */
export function TableHead<Row>({ placed, state, onStateChange, select }: TableHeadProps<Row>) {
  return (
    <div
      role="row"
      className="z-head sticky top-0 flex w-max min-w-full border-b border-border bg-surface-1"
    >
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
      {placed.map((each) => (
        <Head key={each.column.id} placed={each} state={state} onStateChange={onStateChange} />
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

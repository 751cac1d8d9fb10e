import type { VirtualItem } from '@tanstack/react-virtual'
import type { MouseEvent } from 'react'
import { cx } from '@/lib/cx'
import { Checkbox } from '@/ui'
import { cellStyle } from './cellStyle'
import type { PlacedColumn } from './columns'
import { rowDomId } from './rowDomId'
import type { Selection } from './selection'
import { selectWidth } from './selectWidth'

type TableBodyProps<Row> = {
  label: string
  placed: readonly PlacedColumn<Row>[]
  rows: readonly Row[]
  order: readonly string[]
  virtualRows: readonly VirtualItem[]
  totalHeight: number
  current: number
  openId: string | undefined
  isOpenable: boolean
  selection: Selection | undefined
  onToggle: (id: string) => void
  isStale: boolean | undefined
  onRowClick: (event: MouseEvent, index: number) => void
}

/** The rows that are in sight, and a few around them. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  const {
    label,
    placed,
    rows,
    order,
    virtualRows,
    totalHeight,
    current,
    openId,
    isOpenable,
    selection,
  } = props
  const [first] = virtualRows
  return (
    <div
      role="rowgroup"
      className={cx(
        'relative w-max min-w-full transition-opacity duration-100',
        props.isStale && 'opacity-50',
      )}
      style={{ height: totalHeight }}
    >
      <div
        className="absolute top-0 left-0 w-full"
        style={{ transform: `translateY(${first?.start ?? 0}px)` }}
      >
        {virtualRows.map(({ index, size }) => {
          const row = rows[index]
          const id = order[index]
          if (row === undefined || id === undefined) return null
          const isSelected = selection?.ids.has(id) ?? false
          const surface =
            isSelected || id === openId ? 'bg-accent-soft' : 'bg-surface-0 group-hover:bg-surface-1'
          return (
            // The grid handles the keyboard for its rows; a row itself never has the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={id}
              id={rowDomId(label, index)}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={selection ? isSelected : undefined}
              aria-current={id === openId || undefined}
              onClick={(event) => props.onRowClick(event, index)}
              className={cx(
                'group flex w-max min-w-full border-b border-border',
                index === current && 'outline-2 -outline-offset-2 outline-accent',
                isOpenable && 'cursor-pointer',
              )}
              style={{ height: size }}
            >
              {selection && (
                <div
                  role="gridcell"
                  className={cx(
                    'z-cell sticky left-0 flex shrink-0 items-center justify-center',
                    surface,
                  )}
                  style={{ width: selectWidth }}
                >
                  <Checkbox
                    aria-label={`Select row ${index + 1}`}
                    isSelected={isSelected}
                    onChange={() => props.onToggle(id)}
                    excludeFromTabOrder
                  />
                </div>
              )}
              {placed.map((each) => (
                <div
                  key={each.column.id}
                  role="gridcell"
                  className={cx(
                    'flex shrink-0 items-center overflow-hidden px-3 whitespace-nowrap',
                    surface,
                    each.column.align === 'end' && 'justify-end tabular text-sm',
                    each.left !== undefined && 'z-cell sticky',
                    each.isLastPinned && 'border-r border-border',
                    each.column.grows && each.left === undefined && 'grow',
                  )}
                  style={cellStyle(each)}
                >
                  <div className="min-w-0 truncate">{each.column.cell(row)}</div>
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

import { memo, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { Checkbox } from '@/shared/ui'
import { cellStyle } from './cellStyle'
import type { PlacedColumn } from './columns'
import { rowDomId } from './rowDomId'
import { selectWidth } from './selectWidth'

type TableRowProps<Row> = {
  label: string
  placed: readonly PlacedColumn<Row>[]
  row: Row
  id: string
  index: number
  top: number
  height: number
  isCurrent: boolean
  isOpen: boolean
  isOpenable: boolean
  /** undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  onToggle: (id: string) => void
}

/**
 * A pinned cell is sticky only while the list is scrolled sideways: each sticky cell is painted separately from its
 * row, which takes most of the time of a frame.
 */
const pinned = 'group-data-aside/grid:z-cell group-data-aside/grid:sticky'

function Row<R>(props: TableRowProps<R>): ReactNode {
  const { label, placed, row, id, index, top, height, isCurrent, isOpen, isOpenable, isSelected } =
    props
  const surface = isSelected || isOpen ? 'bg-accent-soft' : 'bg-surface-0 group-hover:bg-surface-1'
  return (
    <div
      id={rowDomId(label, index)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isOpen || undefined}
      data-index={index}
      className={cx(
        'group absolute left-0 flex w-full border-b border-border',
        isCurrent && 'outline-2 -outline-offset-2 outline-accent',
        isOpenable && 'cursor-pointer',
      )}
      style={{ top, height }}
    >
      {isSelected !== undefined && (
        <div
          role="gridcell"
          className={cx('left-0 flex shrink-0 items-center justify-center', pinned, surface)}
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
            'flex shrink-0 items-center px-3 whitespace-nowrap',
            surface,
            each.column.align === 'end' && 'justify-end tabular text-sm',
            each.left !== undefined && pinned,
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
}

/** A row, rendered again only if its props changed, and so not while the list is scrolled. */
export const TableRow = memo(Row) as typeof Row

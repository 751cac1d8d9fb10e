import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { Checkbox, IconButton } from '@/shared/ui'
import { cellStyle } from './cellStyle'
import type { PlacedColumn } from './columns'
import { expandWidth, selectWidth } from './leadingWidth'
import { rowDomId } from './rowDomId'

type TableRowProps<Row> = {
  label: string
  placed: readonly PlacedColumn<Row>[]
  row: Row
  id: string
  index: number
  /** The number of rows of the table that stand above this one, headers included. */
  above: number
  top: number
  height: number
  /** Takes the height of a row that is not known in advance; undefined for rows that are all equally high. */
  measure: ((element: Element | null) => void) | undefined
  /** Whether cells show all of their content, in as many lines as it takes. */
  isWrapped: boolean
  isCurrent: boolean
  isOpen: boolean
  isOpenable: boolean
  /** The address of its page. */
  href: string | undefined
  /** undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  onToggle: (id: string) => void
  /** What stands below the row while it is expanded; undefined where rows cannot be. */
  detail: ((row: Row) => ReactNode) | undefined
  isExpanded: boolean
  onExpand: (id: string) => void
}

/**
 * A pinned cell is sticky only while the list is scrolled sideways: each sticky cell is painted separately from its
 * row, which takes most of the time of a frame.
 */
const pinned = 'group-data-aside/grid:z-cell group-data-aside/grid:sticky'

function Row<R>(props: TableRowProps<R>): ReactNode {
  const { label, placed, row, id, index, top, height, measure, isWrapped, isOpen, isSelected } =
    props
  const surface = isSelected || isOpen ? 'bg-accent-soft' : 'bg-surface-0 group-hover:bg-surface-1'
  const cells = (
    <div
      id={rowDomId(label, index)}
      role="row"
      aria-rowindex={props.above + index + 1}
      aria-selected={isSelected}
      aria-current={isOpen || undefined}
      data-index={index}
      className={cx(
        'group left-0 flex w-full border-b border-border',
        measure === undefined && 'absolute',
        props.isCurrent && 'outline-2 -outline-offset-2 outline-accent',
        props.isOpenable && 'cursor-pointer',
      )}
      style={measure ? { [isWrapped ? 'minHeight' : 'height']: height } : { top, height }}
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
      {props.detail && (
        <div
          role="gridcell"
          className={cx(
            'flex shrink-0 justify-center',
            isWrapped ? 'items-start pt-1' : 'items-center',
            pinned,
            surface,
          )}
          style={{ width: expandWidth, left: isSelected === undefined ? 0 : selectWidth }}
        >
          <IconButton
            size="sm"
            label={`Details of row ${index + 1}`}
            aria-expanded={props.isExpanded}
            icon={props.isExpanded ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            onPress={() => props.onExpand(id)}
            excludeFromTabOrder
          />
        </div>
      )}
      {placed.map((each) => (
        <Cell
          key={each.column.id}
          column={each.column}
          href={each.column.hasControls ? undefined : props.href}
          className={cx(
            'flex shrink-0 px-3',
            isWrapped ? 'items-start py-1.5' : 'items-center whitespace-nowrap',
            surface,
            each.column.align === 'end' && 'justify-end tabular text-sm',
            each.left !== undefined && pinned,
            each.isLastPinned && 'border-r border-border',
            each.column.grows && each.left === undefined && 'grow',
          )}
          style={cellStyle(each)}
        >
          <div
            className={isWrapped ? 'min-w-0 break-words whitespace-pre-wrap' : 'min-w-0 truncate'}
          >
            {each.column.cell(row)}
          </div>
        </Cell>
      ))}
    </div>
  )
  if (!measure) return cells
  return (
    <div
      ref={measure}
      role="presentation"
      data-index={index}
      className="absolute left-0 w-full"
      style={{ top }}
    >
      {cells}
      {props.isExpanded && props.detail && (
        <div role="row" data-detail className="border-b border-border bg-surface-1">
          <div
            role="gridcell"
            aria-colspan={placed.length + 1}
            className="sticky left-0 w-fit max-w-full px-3 py-2"
          >
            {props.detail(row)}
          </div>
        </div>
      )}
    </div>
  )
}

type CellProps = {
  column: { id: string; header: string }
  href: string | undefined
  className: string
  style: CSSProperties
  children: ReactNode
}

/**
 * A cell, which is a link where its row has a page: the browser's own ways to open one work anywhere on the row. It
 * stays out of the tab order, and can be selected as text because it is not dragged.
 */
function Cell({ column, href, children, ...cell }: CellProps) {
  if (href === undefined)
    return (
      <div role="gridcell" data-column={column.id} {...cell}>
        {children}
      </div>
    )
  return (
    <a
      ref={(element) => nameEmpty(element, column.header)}
      role="gridcell"
      data-column={column.id}
      data-row-link
      href={href}
      tabIndex={-1}
      draggable={false}
      {...cell}
    >
      {children}
    </a>
  )
}

/** Gives a link without any text a name, since links need one. What a cell shows is known when it has been rendered. */
function nameEmpty(element: HTMLElement | null, header: string): void {
  if (element?.textContent.trim() === '') element.setAttribute('aria-label', `${header}: none`)
  else element?.removeAttribute('aria-label')
}

/** A row, rendered again only if its props changed, and so not while the list is scrolled. */
export const TableRow = memo(Row) as typeof Row

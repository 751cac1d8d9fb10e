import type { VirtualItem } from '@tanstack/react-virtual'
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { widthOf, type PlacedColumn } from './columns'
import type { Selection } from './selection'
import { TableRow } from './TableRow'

type TableBodyProps<Row> = {
  label: string
  placed: readonly PlacedColumn<Row>[]
  rows: readonly Row[]
  order: readonly string[]
  virtualRows: readonly VirtualItem[]
  totalHeight: number
  /** The height of a row; of one that is measured, at least. */
  rowHeight: number
  /** The width of the columns of checkboxes and buttons before the first column. */
  leading: number
  /** The number of header rows. */
  above: number
  measure: ((element: Element | null) => void) | undefined
  isWrapped: boolean
  detail: ((row: Row) => ReactNode) | undefined
  expanded: ReadonlySet<string>
  onExpand: (id: string) => void
  current: number
  openId: string | undefined
  isOpenable: boolean
  hrefOf: ((row: Row) => string | undefined) | undefined
  selection: Selection | undefined
  onToggle: (id: string) => void
  isStale: boolean | undefined
  onRowClick: (event: MouseEvent, index: number) => void
}

/** The visible rows, and a few around them. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { rows, order, virtualRows, openId, selection } = props
  return (
    // The grid handles the keyboard for its rows; a row itself never has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <div
      role="rowgroup"
      className={cx(
        'relative min-w-full transition-opacity duration-100',
        props.isStale && 'opacity-50',
      )}
      style={{
        height: props.totalHeight,
        width: widthOf(props.placed, props.leading),
      }}
      onClick={(event) => {
        const row =
          event.target instanceof Element && event.target.closest('[data-index], [data-detail]')
        if (row && row.hasAttribute('data-index'))
          props.onRowClick(event, Number(row.getAttribute('data-index')))
      }}
    >
      {virtualRows.map(({ index, start, size }) => {
        const row = rows[index]
        const id = order[index]
        if (row === undefined || id === undefined) return null
        return (
          <TableRow
            key={id}
            label={props.label}
            placed={props.placed}
            row={row}
            id={id}
            index={index}
            top={start}
            height={props.measure ? props.rowHeight : size}
            above={props.above}
            measure={props.measure}
            isWrapped={props.isWrapped}
            isCurrent={index === props.current}
            isOpen={id === openId}
            isOpenable={props.isOpenable}
            href={props.hrefOf?.(row)}
            isSelected={selection?.ids.has(id)}
            onToggle={props.onToggle}
            detail={props.detail}
            isExpanded={props.expanded.has(id)}
            onExpand={props.onExpand}
          />
        )
      })}
    </div>
  )
}

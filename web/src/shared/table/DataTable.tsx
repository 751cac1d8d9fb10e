import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { densityPreference, rowHeights } from '@/shared/lib/preferences'
import { CellFilters, type CellFiltersHandle } from './CellFilters'
import { placeColumns, type CellValue, type Column } from './columns'
import { ColumnMenu } from './ColumnMenu'
import { commandOf } from './keys'
import { currentAt, placeBefore, useKeptPlace } from './place'
import { rowDomId } from './rowDomId'
import {
  isAllSelected,
  keepExisting,
  noSelection,
  selectTo,
  toggleAll,
  toggled,
  toggleRow,
  type Selection,
} from './selection'
import { expandWidth, selectWidth } from './leadingWidth'
import { SelectedCount } from './SelectedCount'
import { countRows, TableBar } from './TableBar'
import { TableBody } from './TableBody'
import { hasGroups, TableHead } from './TableHead'
import { TableLoading } from './TableLoading'
import type { TableState } from './tableState'
import { TableTotals } from './TableTotals'
import { isBoxOfRow, isInControl } from './targets'
import { usePageKeys } from './usePageKeys'

export type DataTableProps<Row> = {
  /** The name of the list for screen readers: "API keys". */
  label: string
  columns: readonly Column<Row>[]
  /** undefined while the first rows are loading. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** Identifies the query behind the rows, apart from their order: rows of another query are shown from the top. */
  resetKey?: string
  state: TableState
  onStateChange: (state: TableState) => void
  /** Called on Enter, or on a click on a row. */
  onOpen?: (row: Row) => void
  /** The address of a row's page, for new tabs. A plain click on the row calls onOpen. */
  hrefOf?: (row: Row) => string | undefined
  /** Makes the values of cells ways to filter: puts one into the query, or excludes it. */
  onFilter?: (value: CellValue, isExcluded: boolean) => void
  /** The row whose panel is open. */
  openId?: string
  onClose?: () => void
  /** Makes rows selectable; renders the actions for the selected rows. */
  selectionBar?: (ids: string[], clear: () => void) => ReactNode
  /** Shown instead of rows: the error, with a retry button. */
  error?: ReactNode
  /** Shown instead of rows if there are none. */
  empty: ReactNode
  /** Called near the end of the list, if there is more. */
  onNearEnd?: () => void
  isLoadingMore?: boolean
  /** Shown after the rows if more could not be loaded: the error, with a retry button. */
  moreError?: ReactNode
  /** Left of the column menu: search, filters. */
  toolbar?: ReactNode
  /** The total count, if known; otherwise the loaded rows are counted. */
  count?: ReactNode
  /** Whether the rows are still those of the previous query. */
  isStale?: boolean
  /** Whether this is the main list of the page: its keys work wherever nothing else has focus. */
  isMain?: boolean
  /** Called when the column menu is opened, so that its entries can be loaded. */
  onColumnMenu?: () => void
  /** Whether cells show all of their content, each row being as high as it takes. Otherwise all rows are alike. */
  isWrapped?: boolean
  /** Makes rows expandable; renders what stands below an expanded one. */
  detail?: (row: Row) => ReactNode
  /** The maximum height in pixels before the list scrolls; without it, the list fills its parent. */
  maxHeight?: number
}

/**
 * The list component of the application: virtualized rows, configurable columns, selection, and full keyboard support.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows = [],
    rowId,
    state,
    onStateChange,
    onOpen,
    onClose,
    selectionBar,
    detail,
    isWrapped = false,
  } = props
  const isSelectable = selectionBar !== undefined
  const leading = (isSelectable ? selectWidth : 0) + (detail ? expandWidth : 0)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  const cellFilters = useRef<CellFiltersHandle>(null)
  const resetKey = JSON.stringify([state.sort, props.resetKey])
  const [arrival, setArrival] = useState(() => ({ resetKey, place: placeBefore(label, resetKey) }))
  // The current row, and its index in case the row disappears.
  const [cursor, setWalked] = useState(() => currentAt(arrival.place))
  const [chosen, setSelection] = useState<Selection>(
    arrival.place && isSelectable
      ? { ids: new Set(arrival.place.ids), anchor: undefined }
      : noSelection,
  )
  if (arrival.resetKey !== resetKey) {
    // A new query, or navigation back to an earlier one.
    const place = placeBefore(label, resetKey)
    setArrival({ resetKey, place })
    setWalked(currentAt(place))
  }
  const rowHeight = rowHeights[usePreference(densityPreference)]
  // The inputs of rows stay the same while the list is scrolled.
  const placed = useMemo(() => placeColumns(columns, state, leading), [columns, state, leading])
  const order = useMemo(() => (props.rows ?? []).map(rowId), [props.rows, rowId])
  const onExpand = useCallback((id: string) => setExpanded((before) => toggled(before, id)), [])
  const onToggle = useCallback((id: string) => setSelection((before) => toggleRow(before, id)), [])
  const selection = useMemo(() => keepExisting(chosen, order), [chosen, order])
  const current = useMemo(() => {
    // With a panel already open on arrival, stepping starts from its row.
    const at = order.indexOf(cursor?.id ?? props.openId ?? '')
    return at < 0 && cursor ? Math.min(cursor.index, order.length - 1) : at
  }, [cursor, props.openId, order])

  const isMeasured = isWrapped || detail !== undefined
  const hasTotals = placed.some(({ column }) => column.total !== undefined)
  const headRows = hasGroups(placed) ? 2 : 1
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: isMeasured ? (index) => order[index] ?? index : undefined,
    overscan: 8,
    // The header above the rows, and the totals below them, hide what is behind them.
    scrollPaddingEnd: headHeight + (headRows - 1) * groupHeight + (hasTotals ? rowHeight : 0),
    initialOffset: arrival.place?.top ?? 0,
    // Before the first measurement, and where nothing is measured, as in tests.
    initialRect: { width: 800, height: 600 },
  })

  const lastDrawn = virtual.getVirtualItems().at(-1)?.index
  const isNearEnd = lastDrawn !== undefined && lastDrawn >= rows.length - 20
  const canLoadMore = props.onNearEnd !== undefined
  const onNearEnd = useEffectEvent(() => props.onNearEnd?.())
  // Rows that do not fill the list are near its end without any scrolling, and so may be the next ones.
  useEffect(() => {
    if (isNearEnd && canLoadMore) onNearEnd()
  }, [isNearEnd, canLoadMore, rows.length])

  const walkTo = (index: number) => setWalked({ id: order[index] ?? '', index })
  const go = (index: number) => {
    walkTo(index)
    virtual.scrollToIndex(index)
  }

  const onKeyDown = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    if (event.target === null) return
    // Esc takes back a selection that was made with the boxes of rows, which keep the focus.
    const isKept = event.key === 'Escape' && isBoxOfRow(event.target) && selection.ids.size > 0
    if (isInControl(event.target) && !isKept) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const command = commandOf(event, current, rows.length, page)
    if (!command) return
    const id = order[current]
    switch (command.kind) {
      case 'move': {
        go(command.to)
        // An open panel follows the current row.
        const row = rows[command.to]
        if (props.openId !== undefined && row) onOpen?.(row)
        break
      }
      case 'extend': {
        const to = order[command.to]
        if (isSelectable && to !== undefined) {
          const start =
            selection.anchor === undefined && id !== undefined
              ? toggleRow(selection, id)
              : selection
          setSelection(selectTo(start, to, order))
        }
        go(command.to)
        break
      }
      case 'open': {
        const row = rows[current]
        if (row) onOpen?.(row)
        break
      }
      case 'toggle':
        if (isSelectable && id !== undefined) setSelection(toggleRow(selection, id))
        break
      case 'filter':
        if (!cellFilters.current?.open(current)) return
        break
      case 'expand':
        if (!detail || id === undefined || expanded.has(id) === command.isExpanded) return
        onExpand(id)
        break
      case 'selectAll':
        if (!isSelectable) return
        setSelection({ ids: new Set(order), anchor: undefined })
        break
      case 'leave':
        if (selection.ids.size > 0) setSelection(noSelection)
        else if (onClose) onClose()
        else return
        break
    }
    event.preventDefault()
    event.stopPropagation()
  }

  // A row whose button has focus may disappear, and the focus with it, without an event: the list takes the focus.
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) scroller.current?.focus()
  }, [props.rows])

  useKeptPlace(label, scroller, arrival, {
    hasRows: rows.length > 0,
    isStale: props.isStale === true,
    current: cursor?.id,
    selection: chosen,
    state,
    openId: props.openId,
  })

  usePageKeys(props.isMain === true, scroller, onKeyDown)

  const onRowClick = (event: MouseEvent, index: number) => {
    const row = rows[index]
    const id = order[index]
    // A click on a control in a cell belongs to that control, and selecting text opens nothing.
    if (!row || id === undefined || isInControl(event.target)) return
    const isLink = event.target instanceof Element && event.target.closest('[data-row-link]')
    // The browser opens links in new tabs; everything else is done here.
    if (isLink && (event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    if (getSelection()?.type === 'Range') return
    walkTo(index)
    if (isSelectable && event.shiftKey) setSelection(selectTo(selection, id, order))
    else if (isSelectable && (event.metaKey || event.ctrlKey))
      setSelection(toggleRow(selection, id))
    else onOpen?.(row)
  }

  // Callers write `isError && <ErrorState …/>`: false means no error.
  const error = props.error || undefined
  const isLoading = props.rows === undefined && error === undefined
  const isMore = canLoadMore || Boolean(props.isLoadingMore || props.moreError)
  const isEmpty = props.rows !== undefined && rows.length === 0
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <TableBar
        isSelectable={isSelectable}
        count={props.count ?? (props.rows && countRows(rows.length, isMore))}
        columnMenu={
          <ColumnMenu
            columns={columns}
            state={state}
            onStateChange={onStateChange}
            onOpen={props.onColumnMenu}
          />
        }
      >
        {isSelectable && selection.ids.size > 0 ? (
          <>
            <SelectedCount
              count={selection.ids.size}
              onClear={() => {
                setSelection(noSelection)
                scroller.current?.focus() // the button goes away
              }}
            />
            {selectionBar([...selection.ids], () => setSelection(noSelection))}
          </>
        ) : (
          props.toolbar
        )}
      </TableBar>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + headRows}
        aria-busy={isLoading || props.isStale}
        aria-multiselectable={isSelectable || undefined}
        aria-activedescendant={current >= 0 ? rowDomId(label, current) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) =>
          currentTarget.toggleAttribute('data-aside', currentTarget.scrollLeft > 0)
        }
        onFocus={() => {
          hadFocus.current = true
        }}
        onBlur={() => {
          hadFocus.current = false
        }}
        style={props.maxHeight === undefined ? undefined : { maxHeight: props.maxHeight }}
        className={cx(
          'group/grid relative min-w-0 flex-1 overflow-auto rounded-md border border-border bg-surface-0 -outline-offset-1',
          // Error and empty states need room even if the table is only as high as its rows.
          isEmpty || error !== undefined ? 'min-h-64' : 'min-h-24',
        )}
      >
        <TableHead
          placed={placed}
          state={state}
          isExpandable={detail !== undefined}
          onStateChange={onStateChange}
          select={
            isSelectable
              ? {
                  isAll: isAllSelected(selection, order),
                  isSome: selection.ids.size > 0,
                  onToggle: () => setSelection(toggleAll(selection, order)),
                }
              : undefined
          }
        />
        {isLoading && <TableLoading placed={placed} rowHeight={rowHeight} />}
        {(isEmpty || error !== undefined) && (
          <div role="row">
            <div role="gridcell">{error ?? props.empty}</div>
          </div>
        )}
        {rows.length > 0 && (
          <TableBody
            label={label}
            placed={placed}
            rows={rows}
            order={order}
            virtualRows={virtual.getVirtualItems()}
            totalHeight={virtual.getTotalSize()}
            rowHeight={rowHeight}
            leading={leading}
            above={headRows}
            measure={isMeasured ? virtual.measureElement : undefined}
            isWrapped={isWrapped}
            detail={detail}
            expanded={expanded}
            onExpand={onExpand}
            current={current}
            openId={props.openId}
            isOpenable={onOpen !== undefined}
            hrefOf={props.hrefOf}
            selection={isSelectable ? selection : undefined}
            onToggle={onToggle}
            onRowClick={onRowClick}
            isStale={props.isStale}
          />
        )}
        {props.onFilter && rows.length > 0 && (
          <CellFilters
            ref={cellFilters}
            scroller={scroller}
            placed={placed}
            rows={rows}
            rowDomId={(index) => rowDomId(label, index)}
            onFilter={props.onFilter}
          />
        )}
        {props.isLoadingMore && (
          <p className="sticky left-0 px-3 py-2 text-text-3">Loading more…</p>
        )}
        {props.moreError && (
          <div role="row" className="sticky left-0 w-fit max-w-full">
            <div role="gridcell">{props.moreError}</div>
          </div>
        )}
        {hasTotals && rows.length > 0 && (
          <TableTotals placed={placed} leading={leading} rowHeight={rowHeight} />
        )}
      </div>
    </div>
  )
}

/** The heights of the row of headers, and of the one that columns share, in pixels. */
const headHeight = 33
const groupHeight = 29

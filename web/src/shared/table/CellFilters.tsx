import { Filter } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useState,
  type Ref,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'
import { IconButton, Menu, type MenuAction } from '@/shared/ui'
import type { CellValue, PlacedColumn } from './columns'

export type CellFiltersHandle = {
  /** Opens the menu with all values of a row; false if it has none. */
  open: (index: number) => boolean
}

type CellFiltersProps<Row> = {
  ref: Ref<CellFiltersHandle>
  scroller: RefObject<HTMLElement | null>
  placed: readonly PlacedColumn<Row>[]
  rows: readonly Row[]
  rowDomId: (index: number) => string
  onFilter: (value: CellValue, isExcluded: boolean) => void
}

/** A cell, or a whole row, and where the button stands: its position in what is scrolled. */
type Target = { index: number; column: string | undefined; top: number; left: number }

const buttonSize = 24

/**
 * The menu that filters by the value of a cell: a button in the cell under the pointer, and a key for all values of the
 * current row. There is one for the whole table, since cells are many; it knows by itself where the pointer is, so that
 * nothing else is rendered when that changes.
 */
export function CellFilters<Row>({ ref, ...props }: CellFiltersProps<Row>) {
  const { scroller, placed, rows } = props
  const [target, setTarget] = useState<Target>()
  const [isOpen, setOpen] = useState(false)

  const valuesAt = (index: number, column: string | undefined) => {
    const row = rows[index]
    if (row === undefined) return []
    return placed
      .filter((each) => column === undefined || each.column.id === column)
      .flatMap(({ column: { header, filterValues } }) =>
        (filterValues?.(row) ?? []).map((each) => ({ ...each, header })),
      )
  }
  const onPointer = useEffectEvent((event: PointerEvent) => {
    const outer = scroller.current
    if (isOpen || !outer || !(event.target instanceof Element)) return
    if (event.target.closest('[data-cell-filter]')) return
    const cell = event.target.closest<HTMLElement>('[data-column]')
    const index = Number(cell?.closest('[data-index]')?.getAttribute('data-index') ?? -1)
    const column = cell?.dataset.column
    if (!cell || event.pointerType === 'touch' || valuesAt(index, column).length === 0) {
      setTarget(undefined)
      return
    }
    const [inner, frame] = [cell.getBoundingClientRect(), outer.getBoundingClientRect()]
    setTarget({
      index,
      column,
      top: inner.top - frame.top + outer.scrollTop - outer.clientTop + 4,
      left: inner.right - frame.left + outer.scrollLeft - outer.clientLeft - buttonSize - 2,
    })
  })
  const onAway = useEffectEvent(() => {
    if (!isOpen) setTarget(undefined)
  })
  // The pointer is outside React: that it moves must not render the table.
  useEffect(() => {
    const outer = scroller.current
    const over = (event: PointerEvent) => onPointer(event)
    const away = () => onAway()
    outer?.addEventListener('pointerover', over)
    outer?.addEventListener('pointerleave', away)
    outer?.addEventListener('scroll', away)
    return () => {
      outer?.removeEventListener('pointerover', over)
      outer?.removeEventListener('pointerleave', away)
      outer?.removeEventListener('scroll', away)
    }
  }, [scroller])
  useImperativeHandle(ref, () => ({
    open: (index) => {
      const outer = scroller.current
      const row = document.getElementById(props.rowDomId(index))
      if (!outer || !row || valuesAt(index, undefined).length === 0) return false
      const [inner, frame] = [row.getBoundingClientRect(), outer.getBoundingClientRect()]
      const top = inner.top - frame.top + outer.scrollTop + 4
      // The menu takes its place and the focus from the button, which has to be there before.
      flushSync(() => setTarget({ index, column: undefined, top, left: outer.scrollLeft + 40 }))
      setOpen(true)
      return true
    },
  }))

  const values = target ? valuesAt(target.index, target.column) : []
  if (!target || values.length === 0) return null
  const isRow = target.column === undefined
  const actions = values.flatMap(({ header, column, value }, at): MenuAction[] => {
    const name = isRow ? `${header}: ${value}` : value
    const act = (isExcluded: boolean) => () => {
      setTarget(undefined)
      setOpen(false)
      props.onFilter({ column, value }, isExcluded)
    }
    return [
      {
        id: `include-${at}`,
        label: `Filter by ${name}`,
        onAction: act(false),
        startsGroup: at > 0,
      },
      { id: `exclude-${at}`, label: `Exclude ${name}`, onAction: act(true) },
    ]
  })
  return (
    <div
      data-cell-filter
      className="absolute z-cell rounded-md bg-surface-0"
      style={{ top: target.top, left: target.left, width: buttonSize, height: buttonSize }}
    >
      <Menu
        label="Filter by a value"
        isOpen={isOpen}
        startsAtFirst={isRow}
        onOpenChange={(next) => {
          setOpen(next)
          if (!next && isRow) setTarget(undefined)
        }}
        trigger={
          <IconButton
            size="sm"
            label="Filter by this value"
            icon={<Filter aria-hidden />}
            excludeFromTabOrder
          />
        }
        actions={actions}
      />
    </div>
  )
}

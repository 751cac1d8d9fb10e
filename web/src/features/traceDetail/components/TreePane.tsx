import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useId, useRef, type MouseEvent } from 'react'
import { usePreference } from '@/shared/lib/preference'
import { densityPreference, rowHeights } from '@/shared/lib/preferences'
import { nameColumn, roomFor } from '../model/indent'
import type { Scale, Window } from '../model/scale'
import type { Tree } from '../model/tree'
import { placeOf } from '../model/visible'
import type { TreeMode } from '../state'
import { Axis } from './Axis'
import { Minimap } from './Minimap'
import { rowDomId } from './rowDomId'
import { timelineColumns, TreeRow } from './TreeRow'

type TreePaneProps = {
  tree: Tree
  traceName: string
  view: TreeMode
  visible: Int32Array
  folded: ReadonlySet<string>
  selected: number
  path: Uint8Array | undefined
  /** The number of search hits by row. */
  hits: ReadonlyMap<number, number>
  scale: Scale
  window: Window
  onWindow: (window: Window) => void
  onSelect: (row: number) => void
  onFold: (row: number) => void
}

/** The width of the pane until it is known. */
const unmeasured = 500

/** The tree of a trace, with the timeline beside it if wanted. Only visible rows are in the DOM. */
export function TreePane(props: TreePaneProps) {
  const { tree, visible, selected, view, scale, window } = props
  const scroller = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const height = rowHeights[usePreference(densityPreference)]
  const virtualizer = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  const room = roomFor(nameColumn(view, virtualizer.scrollRect?.width ?? unmeasured))
  const place = placeOf(visible, selected)
  const selectedId = tree.ids[selected]
  const before = useRef<{ id?: string; isInSight: boolean }>({ isInSight: true })
  const follow = useEffectEvent((at: number, id: string | undefined) => {
    const isAnother = before.current.id !== id
    if (isAnother || before.current.isInSight) virtualizer.scrollToIndex(at, { align: 'auto' })
  })
  // Scroll positions are outside React: the selected row is scrolled into view and kept there. Somebody who has
  // scrolled elsewhere and folds a row stays where they are.
  useEffect(() => follow(place, selectedId), [place, selectedId])
  useEffect(() => {
    const range = virtualizer.range
    const isInSight = range !== null && place >= range.startIndex && place <= range.endIndex
    before.current = { id: selectedId, isInSight }
  })
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const row = Number(target.closest('[data-row]')?.getAttribute('data-row') ?? Number.NaN)
    if (Number.isNaN(row)) return
    if (target.closest('[data-fold]')) props.onFold(row)
    else props.onSelect(row)
  }
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      {view === 'timeline' && (
        <div className={`${timelineColumns} shrink-0 gap-x-2 border-b border-border pr-2`}>
          <span className="self-end truncate pb-0.5 pl-3 text-xs text-text-3">
            Drag to zoom, click to reset
          </span>
          <div className="min-w-0">
            <Minimap tree={tree} scale={scale} window={window} onWindow={props.onWindow} />
            <Axis scale={scale} window={window} />
          </div>
        </div>
      )}
      {/* The keys of the tree work on the whole page. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        ref={scroller}
        role="tree"
        aria-label="Observations"
        tabIndex={0}
        onClick={onClick}
        data-trace-tree
        aria-activedescendant={rowDomId(prefix, visible[place] ?? -1)}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto -outline-offset-2"
      >
        <div
          role="presentation"
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const row = visible[index] ?? -1
            return (
              <TreeRow
                key={row}
                tree={tree}
                row={row}
                domId={rowDomId(prefix, row)}
                style={{ height: size, transform: `translateY(${start}px)` }}
                traceName={props.traceName}
                view={view}
                isSelected={index === place}
                isFolded={props.folded.has(tree.ids[row] ?? '')}
                isOnPath={props.path && row >= 0 ? props.path[row] === 1 : undefined}
                room={room}
                hits={props.hits.get(row) ?? 0}
                scale={scale}
                window={window}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

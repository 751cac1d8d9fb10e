import { ChevronDown, ChevronRight, Folder, MessageSquare, Star } from 'lucide-react'
import { memo, type CSSProperties } from 'react'
import { cx } from '@/shared/lib/cx'
import { countOf } from '@/shared/lib/format'
import { ObservationType, LevelBadge } from '@/shared/ui'
import type { Scale, Window } from '../model/scale'
import { indentOf, isNumbered } from '../model/indent'
import { levelOf, modelOf, nameOf, typeOf, type Tree } from '../model/tree'
import { hasChildren, traceRow } from '../model/visible'
import type { TreeMode } from '../state'
import { RowFigures } from './RowFigures'
import { TimelineBar } from './TimelineBar'

type TreeRowProps = {
  tree: Tree
  row: number
  domId: string
  style: CSSProperties
  traceName: string
  view: TreeMode
  isSelected: boolean
  isFolded: boolean
  /** Undefined if the critical path is not shown. */
  isOnPath: boolean | undefined
  hits: number
  /** How many pixels indents may take. */
  room: number
  scale: Scale
  window: Window
}

/** The columns of a row; figures are dropped as the pane becomes narrower. */
export const treeColumns =
  'grid grid-cols-[minmax(0,1fr)_4.5rem] @md:grid-cols-[minmax(0,1fr)_4.5rem_5rem] @lg:grid-cols-[minmax(0,1fr)_4.5rem_5rem_4rem]'
export const timelineColumns = 'grid grid-cols-[minmax(6rem,42%)_minmax(0,1fr)]'

/** One observation in the tree, or the trace above all of them. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { tree, row, view, isSelected, isFolded, isOnPath, hits, room } = props
  const isTrace = row === traceRow
  const depth = isTrace ? 0 : (tree.depth[row] ?? 0) + 1
  const canFold = !isTrace && hasChildren(tree, row)
  const level = isTrace ? 'DEFAULT' : levelOf(tree, row)
  const model = isTrace ? undefined : modelOf(tree, row)
  const name = isTrace ? props.traceName : nameOf(tree, row)
  return (
    // The tree handles focus, keys and clicks; rows are referenced by aria-activedescendant.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      id={props.domId}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={canFold ? !isFolded : undefined}
      data-row={row}
      style={props.style}
      className={cx(
        'absolute inset-x-0 top-0 items-center gap-x-2 border-b border-border/50 pr-2',
        view === 'timeline' ? timelineColumns : treeColumns,
        isSelected ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span
        className={cx(
          'flex h-full min-w-0 items-center gap-1.5 border-l-2 pl-1',
          isOnPath ? 'border-warning' : 'border-transparent',
        )}
      >
        <span
          className="flex shrink-0 items-center justify-end"
          style={{ width: indentOf(depth, room) + 16 }}
        >
          {isNumbered(depth, room) && (
            <span className="mr-auto truncate text-xs text-text-3" title={`Level ${depth}`}>
              {depth}
            </span>
          )}
          {canFold && (
            // Not a tab stop: [ and ] fold. The tree handles clicks.
            <span
              data-fold
              className="flex size-4 items-center justify-center rounded-sm text-text-3 hover:bg-surface-3 hover:text-text-1 [&_svg]:size-3.5"
            >
              {isFolded ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
            </span>
          )}
        </span>
        <span className="flex shrink-0">
          {isTrace ? (
            <Folder aria-label="Trace" className="size-3.5 text-text-3" />
          ) : (
            <ObservationType type={typeOf(tree, row)} hideLabel />
          )}
        </span>
        <bdi
          className={cx(
            'min-w-0 truncate',
            isTrace && 'font-medium',
            level === 'ERROR' ? 'text-danger' : isOnPath === false && 'text-text-3',
          )}
          title={name.slice(0, 500)}
        >
          {name === '' ? <span className="text-text-3">unnamed</span> : name.slice(0, 300)}
        </bdi>
        <LevelBadge level={level} isSmall={view === 'timeline'} />
        {isFolded && <BelowFolded tree={tree} row={row} />}
        {model !== undefined && (
          <span
            className={cx(
              'hidden min-w-8 shrink-[3] truncate text-sm text-text-3',
              view === 'timeline' ? '@xl:inline' : '@sm:inline',
            )}
          >
            {model.slice(0, 100)}
          </span>
        )}
        {!isTrace && (tree.scores[row] ?? 0) > 0 && (
          <Count icon={<Star aria-hidden />} count={tree.scores[row] ?? 0} what="score" />
        )}
        {!isTrace && (tree.comments[row] ?? 0) > 0 && (
          <Count
            icon={<MessageSquare aria-hidden />}
            count={tree.comments[row] ?? 0}
            what="comment"
          />
        )}
        {hits > 0 && (
          <span
            className="tabular shrink-0 rounded-full bg-warning-soft px-1.5 text-xs text-warning"
            title={`Found ${countOf(hits, 'time')}`}
          >
            {hits}
          </span>
        )}
      </span>
      {view === 'timeline' ? (
        <TimelineBar
          tree={tree}
          row={row}
          scale={props.scale}
          window={props.window}
          isDimmed={isOnPath === false}
        />
      ) : (
        <RowFigures tree={tree} row={row} />
      )}
    </div>
  )
})

function Count({ icon, count, what }: { icon: React.ReactNode; count: number; what: string }) {
  return (
    <span
      className="tabular hidden shrink-0 items-center gap-0.5 text-xs text-text-3 @xs:inline-flex [&_svg]:size-3"
      title={countOf(count, what)}
    >
      {icon}
      {count}
      <span className="sr-only">{count === 1 ? what : `${what}s`}</span>
    </span>
  )
}

/** What a folded row hides: how many rows, and how many of them failed. */
function BelowFolded({ tree, row }: { tree: Tree; row: number }) {
  const own = levelOf(tree, row) === 'ERROR' ? 1 : 0
  const errors = (tree.errors[row] ?? 0) - own
  return (
    <span className="tabular shrink-0 text-xs text-text-3">
      +{(tree.size[row] ?? 1) - 1}
      {errors > 0 && <span className="ml-1 text-danger">{errors} failed</span>}
    </span>
  )
}

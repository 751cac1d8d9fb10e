import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useProject, useSession } from '@/shared/currentUser'
import { cx } from '@/shared/lib/cx'
import { formatDuration, formatExact } from '@/shared/lib/format'
import { Callout, Checkbox, inputClass, ObservationType, Spinner, LevelBadge } from '@/shared/ui'
import { messageOf } from '@/shared/api'
import { useLog, type LogRow } from '../api/useLog'
import { byTime, filteredLog } from '../model/log'
import { durationOf, levelOf, nameOf, typeOf, type Tree } from '../model/tree'

type LogProps = {
  projectId: string
  traceId: string
  tree: Tree
  selected: number
  onSelect: (row: number) => void
}

const rowHeight = 44

/** All observations in chronological order, with the beginnings of their inputs and outputs. */
export function Log({ projectId, traceId, tree, selected, onSelect }: LogProps) {
  const [text, setText] = useState('')
  const [onlyProblems, setOnlyProblems] = useState(false)
  // Visitors and annotators see single traces, and may not query the table that previews come from.
  const { can } = useProject()
  const hasPreviews = useSession().user !== null && can('traces:read')
  const log = useLog(projectId, traceId, hasPreviews)
  const loaded = useMemo(() => {
    const found = new Map<number, LogRow>()
    for (const row of log.data?.pages.flatMap((page) => page.rows) ?? []) {
      const at = tree.rowOf.get(row.id)
      if (at !== undefined) found.set(at, row)
    }
    return found
  }, [log.data, tree])
  const sorted = useMemo(() => byTime(tree), [tree])
  const wanted = useDeferredValue(text)
  const rows = useMemo(
    () =>
      filteredLog(tree, sorted, { text: wanted, onlyProblems }, (row) => {
        const each = loaded.get(row)
        return each
          ? `${each.statusMessage ?? ''} ${each.inputPreview ?? ''} ${each.outputPreview ?? ''}`
          : ''
      }),
    [tree, sorted, wanted, onlyProblems, loaded],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  const lacks = items.some(({ index }) => !loaded.has(rows[index] ?? -1))
  const more = useEffectEvent(() => {
    if (log.hasNextPage && !log.isFetching && !log.isError) void log.fetchNextPage()
  })
  // Rows scrolled into view are loaded; scrolling is outside React.
  useEffect(() => {
    if (lacks) more()
  }, [lacks, log.isFetching])
  return (
    <div className="flex min-h-[60vh] min-w-0 flex-1 flex-col @3xl:min-h-0">
      <div className="flex flex-wrap items-center gap-3 border-b border-border px-3 py-1.5">
        <input
          aria-label="Search the log"
          placeholder={hasPreviews ? 'Search names and previews' : 'Search names'}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClass} max-w-72 flex-1`}
        />
        <Checkbox isSelected={onlyProblems} onChange={setOnlyProblems}>
          Errors and warnings only
        </Checkbox>
        <span role="status" className="tabular flex items-center gap-1.5 text-sm text-text-3">
          {log.isFetching && <Spinner />}
          {formatExact(rows.length)} of {formatExact(tree.count)}
          {hasPreviews &&
            text !== '' &&
            loaded.size < tree.count &&
            ', beginnings of the first ' + loaded.size}
        </span>
      </div>
      {log.isError && (
        <div className="p-3">
          <Callout tone="danger">Couldn’t load previews: {messageOf(log.error)}</Callout>
        </div>
      )}
      <div
        ref={scroller}
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label="Log"
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index] ?? 0
            return (
              <li
                key={row}
                className="absolute inset-x-0 top-0"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                <LogEntry
                  tree={tree}
                  row={row}
                  loaded={loaded.get(row)}
                  isSelected={row === selected}
                  onSelect={onSelect}
                />
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}

type LogEntryProps = {
  tree: Tree
  row: number
  loaded: LogRow | undefined
  isSelected: boolean
  onSelect: (row: number) => void
}

function LogEntry({ tree, row, loaded, isSelected, onSelect }: LogEntryProps) {
  const duration = durationOf(tree, row)
  const level = levelOf(tree, row)
  const text = [loaded?.statusMessage, loaded?.inputPreview, loaded?.outputPreview]
    .filter((each) => (each ?? '') !== '')
    .join(' → ')
  return (
    <button
      type="button"
      onClick={() => onSelect(row)}
      className={cx(
        'flex size-full flex-col justify-center border-b border-border/60 px-3 text-left -outline-offset-2',
        isSelected ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        <span className="tabular w-16 shrink-0 text-sm text-text-3">
          +{formatDuration((tree.start[row] ?? 0) - tree.from)}
        </span>
        <ObservationType type={typeOf(tree, row)} hideLabel />
        <bdi className={cx('min-w-0 truncate', level === 'ERROR' && 'text-danger')}>
          {nameOf(tree, row).slice(0, 300) || 'unnamed'}
        </bdi>
        <LevelBadge level={level} />
        <span className="tabular ml-auto shrink-0 text-sm text-text-3">
          {duration === undefined ? 'running' : formatDuration(duration)}
        </span>
      </span>
      <span className="flex min-w-0 pl-18 text-sm text-text-3">
        <bdi className="truncate">{text}</bdi>
      </span>
    </button>
  )
}

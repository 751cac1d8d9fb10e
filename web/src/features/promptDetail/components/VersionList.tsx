import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { GitCompareArrows, MessageSquare } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ErrorLine, LoadError, NextPageError } from '@/shared/errors'
import { authorName, usePromptVersions, type PromptVersionRow } from '@/shared/prompts'
import { cx } from '@/shared/lib/cx'
import { countOf } from '@/shared/lib/format'
import { useSearchState } from '@/shared/lib/useSearchState'
import { Button, KeyHint, SearchField, Skeleton, Time } from '@/shared/ui'
import { beginOf, neighbour } from '../model/chosen'
import { LabelBadges } from './LabelBadges'

type VersionListProps = {
  projectId: string
  name: string
  /** Of the prompt; undefined while it is not known. */
  newest: number | undefined
  shown: number | undefined
  compared: number | undefined
}

/** Fields, lists, menus and dialogs take letters for themselves. */
function hasKeysOfItsOwn(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, [contenteditable="true"], [role=grid], [role=menu], [role=listbox], [role=dialog], [role=alertdialog]',
    ) !== null
  )
}

const rowHeight = 70
/** The list is read from the newest version down to the shown one in so many pages; to one farther below, it begins there. */
const pagesToShown = 10
/** How near to an end of the list its next page is read. */
const nearEnd = 20

/** The versions of a prompt, newest first. J and K go from one to the next. */
export function VersionList({ projectId, name, newest, shown, compared }: VersionListProps) {
  const [search, change] = useSearchState()
  const [begin, setBegin] = useState<number>()
  const below = search.search ? undefined : begin
  const query = usePromptVersions(projectId, name, search.search, below)
  const pages = query.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ versions }) => versions), [pages])
  const numbers = useMemo(() => rows.map(({ version }) => version), [rows])
  const [sought, setSought] = useState<number>()
  if (newest !== undefined && shown !== sought) {
    setSought(shown)
    if (shown !== undefined && !numbers.includes(shown)) setBegin(beginOf(newest, shown))
  }
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => numbers[index] ?? index,
    overscan: 6,
    // Before the first measurement, and where nothing is measured, as in tests.
    initialRect: { width: 288, height: 600 },
  })
  const at = shown === undefined ? -1 : numbers.indexOf(shown)
  const drawn = virtual.getVirtualItems()
  const isLookedFor = shown !== undefined && at < 0 && below === undefined && !search.search
  const isWanted =
    (drawn.at(-1)?.index ?? 0) >= rows.length - nearEnd ||
    (isLookedFor && (pages?.length ?? 0) < pagesToShown)
  const isNewerWanted = rows.length === 0 || (drawn[0]?.index ?? rows.length) < nearEnd
  const canLoad =
    query.hasNextPage && !query.isFetching && !query.isFetchNextPageError && rows.length > 0
  const loadMore = useEffectEvent(() => void query.fetchNextPage({ cancelRefetch: false }))
  // What is drawn depends on the scroll position, which is outside React.
  useEffect(() => {
    if (isWanted && canLoad) loadMore()
  }, [isWanted, canLoad])
  const canLoadNewer = query.hasPreviousPage && !query.isFetching && !query.isFetchPreviousPageError
  const loadNewer = useEffectEvent(() => void query.fetchPreviousPage({ cancelRefetch: false }))
  useEffect(() => {
    if (isNewerWanted && canLoadNewer) loadNewer()
  }, [isNewerWanted, canLoadNewer])
  const bringIntoView = useEffectEvent(() => virtual.scrollToIndex(at))
  const isListed = at >= 0
  useEffect(() => {
    if (isListed) bringIntoView()
  }, [isListed, shown])
  // What is in view stays there when newer versions come above it.
  const first = useRef(numbers[0])
  const stayInView = useEffectEvent((added: number) =>
    virtual.scrollToOffset((virtual.scrollOffset ?? 0) + added * rowHeight),
  )
  useLayoutEffect(() => {
    const added = first.current === undefined ? -1 : numbers.indexOf(first.current)
    first.current = numbers[0]
    if (added > 0 && below !== undefined) stayInView(added)
  }, [numbers, below])
  const go = (version: number | undefined) => {
    if (version === undefined) return
    change(
      {
        version: String(version),
        label: undefined,
        diff: version === compared ? undefined : search.diff,
      },
      { replace: true },
    )
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = event.key === 'j' ? 1 : event.key === 'k' ? -1 : undefined
    if (by === undefined || shown === undefined || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey || hasKeysOfItsOwn(event.target)) return
    event.preventDefault()
    go(neighbour(numbers, shown, by))
  })
  // Keys of the page come from outside React.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const total = pages?.[0]?.total
  return (
    <section
      aria-label="Versions"
      className="flex min-w-0 flex-col gap-2 self-start lg:sticky lg:top-4"
    >
      <SearchField
        label="Search versions"
        placeholder="Number, label, message, author"
        value={search.search ?? ''}
        onChange={(text) => change({ search: text === '' ? undefined : text }, { replace: true })}
      />
      <p className="flex items-center gap-2 text-sm text-text-3">
        <span>{total === undefined ? 'Loading versions' : countOf(total, 'version')}</span>
        {below !== undefined && (
          <Button
            size="sm"
            variant="ghost"
            onPress={() => {
              setBegin(undefined)
              if (newest !== undefined) go(newest)
            }}
          >
            Go to the newest
          </Button>
        )}
        <span className="ml-auto max-sm:hidden">
          <KeyHint keys="J" /> <KeyHint keys="K" />
        </span>
      </p>
      {query.isError && !pages ? (
        <LoadError title="Couldn’t load the versions" query={query} />
      ) : !pages ? (
        <Skeleton className="h-64" />
      ) : rows.length === 0 ? (
        <p className="text-text-3">No version matches.</p>
      ) : (
        <div
          ref={scroller}
          role="region"
          aria-label="List of versions"
          // A region that scrolls has to be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className={cx(
            'max-h-48 overflow-y-auto rounded-md border border-border outline-offset-2 lg:max-h-[calc(100dvh-14rem)]',
            query.isPlaceholderData && 'opacity-60',
          )}
        >
          <ol className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              return (
                row && (
                  <li
                    key={row.version}
                    aria-setsize={total}
                    aria-posinset={below === undefined ? index + 1 : undefined}
                    className="absolute inset-x-0 border-b border-border"
                    style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                  >
                    <Row
                      projectId={projectId}
                      name={name}
                      row={row}
                      shown={shown}
                      isCompared={row.version === compared}
                      protectedLabels={pages[0]?.protectedLabels ?? []}
                    />
                  </li>
                )
              )
            })}
          </ol>
        </div>
      )}
      {query.isFetchNextPageError && <NextPageError query={query} />}
      {query.isFetchPreviousPageError && (
        <ErrorLine
          title="Couldn’t load newer versions"
          error={query.error}
          isPending={query.isFetchingPreviousPage}
          onRetry={() => void query.fetchPreviousPage()}
        />
      )}
    </section>
  )
}

type RowProps = {
  projectId: string
  name: string
  row: PromptVersionRow
  shown: number | undefined
  isCompared: boolean
  protectedLabels: readonly string[]
}

function Row({ projectId, name, row, shown, isCompared, protectedLabels }: RowProps) {
  const isShown = row.version === shown
  const page = {
    to: '/project/$projectId/prompts/$promptName',
    params: { projectId, promptName: name },
    resetScroll: false,
  } as const
  return (
    <div
      className={cx(
        'group relative flex h-full min-w-0',
        isShown ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <Link
        {...page}
        search={(before) => ({
          ...before,
          version: String(row.version),
          label: undefined,
          diff: isCompared ? undefined : before.diff,
        })}
        aria-current={isShown ? 'true' : undefined}
        className="flex min-w-0 flex-1 flex-col justify-center px-2.5 -outline-offset-2"
      >
        <span className="flex min-w-0 items-center gap-1.5 overflow-hidden pr-8">
          <span className="tabular shrink-0 font-medium">v{row.version}</span>
          <LabelBadges labels={row.labels} protectedLabels={protectedLabels} />
          {isCompared && <span className="text-sm text-text-3">compared</span>}
        </span>
        <span className="truncate text-sm text-text-2">
          {row.commitMessage ?? <span className="text-text-3">No message</span>}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-sm text-text-3">
          <span className="truncate">{authorName(row.createdBy)}</span>
          <span aria-hidden>·</span>
          <Time at={row.createdAt} />
          {row.commentCount > 0 && (
            <span className="tabular ml-auto flex shrink-0 items-center gap-1">
              <MessageSquare aria-hidden className="size-3" />
              {row.commentCount}
              <span className="sr-only"> comments</span>
            </span>
          )}
        </span>
      </Link>
      {shown !== undefined && !isShown && (
        <Link
          {...page}
          search={(before) => ({
            ...before,
            version: String(shown),
            label: undefined,
            tab: undefined,
            diff: isCompared ? undefined : String(row.version),
          })}
          aria-label={
            isCompared ? 'Stop comparing' : `Compare version ${row.version} with version ${shown}`
          }
          title={isCompared ? 'Stop comparing' : `Compare with version ${shown}`}
          className={cx(
            'absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-md bg-surface-0 text-text-3 hover:bg-surface-3 hover:text-text-1 focus-visible:opacity-100 pointer-coarse:opacity-100',
            isCompared
              ? 'text-accent'
              : 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
          )}
        >
          <GitCompareArrows aria-hidden className="size-3.5" />
        </Link>
      )}
    </div>
  )
}

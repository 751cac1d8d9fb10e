import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { formatExact } from '@/shared/lib/format'
import { useSearchState } from '@/shared/lib/useSearchState'
import { decodeTableState } from '@/shared/table'
import { IconButton } from '@/shared/ui'
import { useRows } from '../api/useRows'
import { decodeList, encodeList, type ListAddress } from '../model/listAddress'
import { questionOf } from '../model/question'
import { observationRowId, rowId } from '../model/rows'
import { observationOf } from '../model/found'
import { termOf } from '../model/termOf'
import { toSelection } from '../model/view'

export type ListStepsProps = { projectId: string; traceId: string }

/** The way to the traces before and after this one in the list of the URL. */
export function ListSteps(props: ListStepsProps) {
  const [search] = useSearchState()
  const list = decodeList(search.list)
  return list && <Steps {...props} list={list} />
}

/** A trace further down is not looked for: what stands beside it is not worth that many requests. */
const mostLooked = 2_000
/** The next rows are requested when so few are left. */
const few = 5

function Steps({ projectId, traceId, list }: ListStepsProps & { list: ListAddress }) {
  const { table } = list
  const [{ dateRange, environment, scoring }] = useSearchState()
  const navigate = useNavigate()
  const {
    query,
    range,
    environment: names,
  } = questionOf(table, {
    ...list.search,
    dateRange,
    environment,
  })
  const rows = useRows(
    projectId,
    table,
    toSelection(table, query, range, names, list.asOf),
    decodeTableState(list.search),
  )
  const loaded = rows.data?.pages.flatMap((page) => page.rows) ?? []
  const wanted = table === 'traces' ? traceId : observationRowId(traceId, list.row ?? '')
  const at = loaded.findIndex((row) => rowId(table, row) === wanted)
  const { hasNextPage, isFetching, isError, fetchNextPage } = rows
  const wantsMore = at < 0 ? loaded.length < mostLooked : at >= loaded.length - few
  // Pages come one after another until the trace and those after it are there.
  useEffect(() => {
    if (wantsMore && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [wantsMore, hasNextPage, isFetching, isError, fetchNextPage])

  const before = loaded[at - 1]
  const after = at < 0 ? undefined : loaded[at + 1]
  const step = (by: 1 | -1) => {
    const row = by === 1 ? after : before
    if (!row) return
    const isObservation = table === 'observations'
    void navigate({
      to: '/project/$projectId/traces/$traceId',
      params: { projectId, traceId: row.traceId },
      search: (search) => ({
        ...search,
        timestamp: undefined,
        observation: observationOf(table, row),
        find: termOf(query),
        list: encodeList({ ...list, row: isObservation ? row.id : undefined }),
      }),
      // Back leads to the list, however many traces were looked at.
      replace: true,
    })
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const by = stepOf(event, scoring === '1')
    if (by === undefined || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(target)) return
    event.preventDefault()
    step(by)
  })
  // Keys come from outside React.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  if (at < 0) return null
  return (
    <span role="group" aria-label="Steps through the list" className="flex items-center gap-0.5">
      <IconButton
        size="sm"
        label={`Previous ${table.slice(0, -1)} in the list (Shift K)`}
        icon={<ChevronUp aria-hidden />}
        isDisabled={!before}
        onPress={() => step(-1)}
      />
      <IconButton
        size="sm"
        label={`Next ${table.slice(0, -1)} in the list (Shift J)`}
        icon={<ChevronDown aria-hidden />}
        isDisabled={!after}
        onPress={() => step(1)}
      />
      <span className="tabular text-sm whitespace-nowrap text-text-3">
        {formatExact(at + 1)} of {formatExact(loaded.length)}
        {hasNextPage && '+'}
      </span>
    </span>
  )
}

/** Shift with J and K, or, while traces are scored one after the other, N and P. */
function stepOf({ key, shiftKey }: KeyboardEvent, isScoring: boolean): 1 | -1 | undefined {
  if (shiftKey) return key === 'J' ? 1 : key === 'K' ? -1 : undefined
  if (!isScoring) return undefined
  return key === 'n' ? 1 : key === 'p' ? -1 : undefined
}

/** Fields, dialogs, menus and list boxes have keys of their own. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
      ) !== null)
  )
}

import { useMemo } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'

export const tabs = [
  'preview',
  'scores',
  'comments',
  'metadata',
  'raw',
  'transcript',
  'log',
  'statistics',
  'graph',
] as const
export type Tab = (typeof tabs)[number]

export type TreeMode = 'tree' | 'timeline'

/** What is shown of a trace. */
export type TraceState = {
  /** The selected observation; undefined for the trace itself. */
  observation?: string
  view: TreeMode
  tab: Tab
  /** The text searched for in the trace. */
  find?: string
  /** Whether scores are given beside it. */
  isScoring?: boolean
}

/** Changes what is shown. Steps from row to row create no history entries. */
export type ChangeTrace = (change: Partial<TraceState>, isStep?: boolean) => void

/** The search parameters of the trace page. `timestamp` is a hint in old links; nothing depends on it. */
export const traceSearchNames = [
  'observation',
  'timestamp',
  'view',
  'traceTab',
  'pref',
  'find',
  // The list that the trace was opened from.
  'list',
  'scoring',
] as const

type TraceSearch = { [name in (typeof traceSearchNames)[number]]?: string }

/** Visitors of a published trace have a URL that no schema has checked. */
export function toTraceState(search: { [name in keyof TraceSearch]: unknown }): TraceState {
  return {
    observation: text(search.observation),
    view: search.view === 'timeline' ? 'timeline' : 'tree',
    tab: tabs.find((tab) => tab === search.traceTab) ?? 'preview',
    find: text(search.find),
    ...(search.scoring === '1' && { isScoring: true }),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The changed search parameters; default values are left out of the URL. */
export function toTraceSearch(change: Partial<TraceState>): TraceSearch {
  const search: TraceSearch = {}
  if ('observation' in change) {
    search.observation = change.observation
    search.timestamp = undefined
  }
  if ('view' in change) search.view = change.view === 'timeline' ? 'timeline' : undefined
  if ('tab' in change) search.traceTab = change.tab === 'preview' ? undefined : change.tab
  if ('find' in change) search.find = change.find
  if ('isScoring' in change) search.scoring = change.isScoring ? '1' : undefined
  return search
}

/** The trace state in the URL, also for the panel beside a table, which uses the same parameters. */
export function useTraceState(): [TraceState, ChangeTrace] {
  const [search, changeSearch] = useSearchState()
  const state = useMemo(() => toTraceState(search), [search])
  const change: ChangeTrace = (next, isStep = false) =>
    changeSearch(toTraceSearch(next), { replace: isStep })
  return [state, change]
}

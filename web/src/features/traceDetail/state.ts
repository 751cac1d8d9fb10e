import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import * as v from 'valibot'

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

export type View = 'tree' | 'timeline'

/** What is shown of a trace. */
export type TraceState = {
  /** The selected observation; undefined for the trace itself. */
  observation?: string
  view: View
  tab: Tab
  /** The text searched for in the trace. */
  find?: string
}

/** Changes what is shown. Steps from row to row create no history entries. */
export type ChangeTrace = (change: Partial<TraceState>, isStep?: boolean) => void

/** The search parameters of the trace page. `timestamp` is a hint in old links; nothing depends on it. */
export const traceSearchEntries = {
  observation: v.optional(v.fallback(v.string(), '')),
  timestamp: v.optional(v.fallback(v.string(), '')),
  view: v.optional(v.fallback(v.string(), '')),
  traceTab: v.optional(v.fallback(v.string(), '')),
  pref: v.optional(v.fallback(v.string(), '')),
  find: v.optional(v.fallback(v.string(), '')),
}

type TraceSearch = { [name in keyof typeof traceSearchEntries]?: unknown }

export function toTraceState(search: TraceSearch): TraceState {
  return {
    observation: text(search.observation),
    view: search.view === 'timeline' ? 'timeline' : 'tree',
    tab: tabs.find((tab) => tab === search.traceTab) ?? 'preview',
    find: text(search.find),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The changed search parameters; default values are left out of the URL. */
export function toTraceSearch(change: Partial<TraceState>): Record<string, string | undefined> {
  const search: Record<string, string | undefined> = {}
  if ('observation' in change) {
    search.observation = change.observation
    search.timestamp = undefined
  }
  if ('view' in change) search.view = change.view === 'timeline' ? 'timeline' : undefined
  if ('tab' in change) search.traceTab = change.tab === 'preview' ? undefined : change.tab
  if ('find' in change) search.find = change.find
  return search
}

/** The trace state in the URL, also for the panel beside a table, which uses the same parameters. */
export function useTraceState(): [TraceState, ChangeTrace] {
  const search: TraceSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => toTraceState(search), [search])
  const change: ChangeTrace = (next, isStep = false) => {
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...toTraceSearch(next) }),
      hash: true,
      replace: isStep,
      resetScroll: false,
    })
  }
  return [state, change]
}

import * as v from 'valibot'
import { tableSearchEntries } from '@/shared/table'

const text = v.optional(v.fallback(v.string(), ''))

/** The search parameters of both tables; time range and environments are those of the project. */
export const tracesSearchEntries = {
  ...tableSearchEntries,
  filter: text,
  search: text,
  /** Id of the trace in the side panel, and of the observation in it. */
  peek: text,
  observation: text,
  view: text,
  traceTab: text,
  find: text,
  /** Which panel replaces the table. */
  group: text,
  compare: text,
  live: text,
  viewId: text,
}

export type TracesSearch = Partial<Record<keyof typeof tracesSearchEntries, string>>

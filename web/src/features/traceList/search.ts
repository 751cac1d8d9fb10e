import { tableSearchNames } from '@/shared/table'

/** The search parameters of both tables; time range and environments are those of the project. */
export const tracesSearchNames = [
  ...tableSearchNames,
  'filter',
  'search',
  // Ids of the trace in the side panel and of the observation in it, and what is shown of them.
  'peek',
  'observation',
  'view',
  'traceTab',
  'find',
  'scoring',
  // Which panel replaces the table.
  'group',
  'compare',
  'live',
  'viewId',
] as const

export type TracesSearch = { [name in (typeof tracesSearchNames)[number]]?: string }

import type { TableState } from '@/shared/table'

const columns = [
  'lastSeen',
  'firstSeen',
  'duration',
  'totalCost',
  'inputCost',
  'outputCost',
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'observations',
  'errors',
  'traces',
  'sessions',
  'id',
] as const

export type EntitiesOrder = { column: (typeof columns)[number]; direction: 'asc' | 'desc' }

/** The requested sort order, if the server supports it. */
export function entitiesOrder({ sort }: TableState): EntitiesOrder | undefined {
  const column = columns.find((each) => each === sort?.column)
  return column === undefined || !sort ? undefined : { column, direction: sort.direction }
}

import { tableSearchNames } from '@/shared/table'

/** The search parameters of the score table; time range and environments are those of the project. */
export const scoresSearchNames = [
  ...tableSearchNames,
  'filter',
  'search',
  // Of earlier links.
  'name',
  'source',
  'dataType',
  'valueMin',
  'valueMax',
] as const

export type ScoresSearch = { [name in (typeof scoresSearchNames)[number]]?: string }

/**
 * The search parameters of score analytics: one or two scores, the level of the scored objects, and a cell of the
 * comparison table.
 */
export const analyticsSearchNames = ['score', 'second', 'level', 'cell'] as const

export type AnalyticsSearch = { [name in (typeof analyticsSearchNames)[number]]?: string }

import * as v from 'valibot'
import { tableSearchEntries } from '@/shared/table'

const text = v.optional(v.fallback(v.string(), ''))

/** The search parameters of the score table; time range and environments are those of the project. */
export const scoresSearchEntries = {
  ...tableSearchEntries,
  name: text,
  source: text,
  dataType: text,
  valueMin: text,
  valueMax: text,
}

export type ScoresSearch = Partial<Record<keyof typeof scoresSearchEntries, string>>

/**
 * The search parameters of score analytics: one or two scores, the level of the scored objects, and a cell of the
 * comparison table.
 */
export const analyticsSearchEntries = { score: text, second: text, level: text, cell: text }

export type AnalyticsSearch = Partial<Record<keyof typeof analyticsSearchEntries, string>>

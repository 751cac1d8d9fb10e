import * as v from 'valibot'
import { tableSearchEntries } from '@/table'

const text = v.optional(v.fallback(v.string(), ''))

/** The parameters of the table of scores; time range and environments are those of the project. */
export const scoresSearchEntries = {
  ...tableSearchEntries,
  name: text,
  source: text,
  dataType: text,
  valueMin: text,
  valueMax: text,
}

export type ScoresSearch = Partial<Record<keyof typeof scoresSearchEntries, string>>

/** The parameters of score analytics: one or two scores, what they are of, and a cell of the table of both. */
export const analyticsSearchEntries = { score: text, second: text, level: text, cell: text }

export type AnalyticsSearch = Partial<Record<keyof typeof analyticsSearchEntries, string>>

import * as v from 'valibot'
import { tableSearchEntries } from '@/shared/table'

/** The search parameters of the session and user lists; time range and environments are those of the project. */
export const ownersSearchEntries = {
  ...tableSearchEntries,
  search: v.optional(v.fallback(v.string(), '')),
}

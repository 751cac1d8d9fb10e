import * as v from 'valibot'
import { tableSearchEntries } from '@/table'

/** The parameters of the lists of sessions and users; time range and environments are those of the project. */
export const ownersSearchEntries = {
  ...tableSearchEntries,
  search: v.optional(v.fallback(v.string(), '')),
}

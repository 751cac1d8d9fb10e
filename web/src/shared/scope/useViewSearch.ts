import { useNavigate, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'

/**
 * The scope of every page of a project: a time range and environments. They are in the URL, so that links keep them;
 * the search schema of the project's route includes them.
 */
export const viewSearchEntries = {
  dateRange: v.optional(v.fallback(v.string(), '')),
  environment: v.optional(v.fallback(v.union([v.string(), v.array(v.string())]), '')),
}

export type ViewSearch = { dateRange?: string; environment?: string | string[] }

/** The scope in the URL and a function to change it, which creates a history entry. */
export function useViewSearch(): [ViewSearch, (change: ViewSearch) => void] {
  const search: ViewSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (next: ViewSearch) => {
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...next }),
      hash: true,
      resetScroll: false,
    })
  }
  return [search, change]
}

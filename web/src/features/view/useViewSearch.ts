import { useNavigate, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'

/**
 * What every page of a project looks at: a range of time and environments. In the address, so that links keep them; the
 * search schema of the project's route includes them.
 */
export const viewSearchEntries = {
  dateRange: v.optional(v.fallback(v.string(), '')),
  environment: v.optional(v.fallback(v.union([v.string(), v.array(v.string())]), '')),
}

export type ViewSearch = { dateRange?: string; environment?: string | string[] }

/** The view's parameters and the way to change them, which pushes history. */
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

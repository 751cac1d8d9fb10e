import { useNavigate, useSearch } from '@tanstack/react-router'

const usePageSearch = () => useSearch({ strict: false })

/** The search parameters of all pages; each may be missing. */
export type PageSearch = ReturnType<typeof usePageSearch>

/** Changes some parameters: undefined removes one. Creates a history entry unless the current one is replaced. */
export type ChangeSearch = (change: PageSearch, options?: { replace?: boolean }) => void

/** The search parameters of the current page, whichever it is, and a function that changes some of them. */
export function useSearchState(): [PageSearch, ChangeSearch] {
  const search = usePageSearch()
  const navigate = useNavigate()
  const change: ChangeSearch = (next, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...next }),
      hash: true,
      replace,
      resetScroll: false,
    })
  return [search, change]
}

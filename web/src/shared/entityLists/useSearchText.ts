import { useSearchState } from '@/shared/lib/useSearchState'

/**
 * The `search` parameter of the URL and a function that changes it, replacing the history entry while somebody types.
 */
export function useSearchText(): [string, (text: string) => void] {
  const [{ search = '' }, change] = useSearchState()
  return [search, (text) => change({ search: text === '' ? undefined : text }, { replace: true })]
}

import { useNavigate, useSearch } from '@tanstack/react-router'

/**
 * The `search` parameter of the URL and a function that changes it, replacing the history entry while somebody types.
 */
export function useSearchText(): [string, (text: string) => void] {
  const { search = '' }: { search?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (text: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, search: text === '' ? undefined : text }),
      hash: true,
      replace: true,
      resetScroll: false,
    })
  return [search, change]
}

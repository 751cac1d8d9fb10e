import { useSearchState } from '@/shared/lib/useSearchState'

/** Time range and environments as they are in the URL. */
export type ScopeSearch = { dateRange?: string; environment?: string | string[] }

/** The search schema of the pages of a project: links keep their time range and environments. */
export function scopeSearch(search: Record<string, unknown>): ScopeSearch {
  const { dateRange, environment } = search
  const found: ScopeSearch = {
    ...(dateRange !== undefined && { dateRange: typeof dateRange === 'string' ? dateRange : '' }),
    ...(environment !== undefined && { environment: isTexts(environment) ? environment : '' }),
  }
  return { ...found, ...search, ...found }
}

function isTexts(value: unknown): value is string | string[] {
  return (Array.isArray(value) ? value : [value]).every((each) => typeof each === 'string')
}

/** The scope in the URL and a function to change it, which creates a history entry. */
export function useScopeSearch(): [ScopeSearch, (change: ScopeSearch) => void] {
  return useSearchState()
}

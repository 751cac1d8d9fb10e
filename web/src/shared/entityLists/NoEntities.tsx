import type { ReactNode } from 'react'
import { useScopeSearch } from '@/shared/scope'
import { Button, EmptyState } from '@/shared/ui'

type NoOwnersProps = {
  icon: ReactNode
  /** sessions, users */
  what: string
  search: string
  onSearch: (text: string) => void
  /** Where they come from. */
  children: ReactNode
}

/** Explains why a list is empty and offers to loosen the filters. */
export function NoEntities({ icon, what, search, onSearch, children }: NoOwnersProps) {
  const [{ environment }, changeView] = useScopeSearch()
  const hasEnvironment = environment !== undefined && environment.length > 0
  return (
    <EmptyState
      icon={icon}
      title={
        search === ''
          ? `No ${what} in this time range`
          : `No ${what} with an id containing “${search}”`
      }
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {search !== '' && <Button onPress={() => onSearch('')}>Clear the search</Button>}
          {hasEnvironment && (
            <Button onPress={() => changeView({ environment: undefined })}>All environments</Button>
          )}
          <Button onPress={() => changeView({ dateRange: '90d' })}>Show the last 90 days</Button>
        </span>
      }
    >
      {children}
    </EmptyState>
  )
}

import type { ReactNode } from 'react'
import { emptyQuery, isEmptyQuery, type Query } from '@/shared/query'
import { useScopeSearch } from '@/shared/scope'
import { Button, EmptyState } from '@/shared/ui'

type NoOwnersProps = {
  icon: ReactNode
  /** sessions, users */
  what: string
  query: Query
  onChange: (query: Query) => void
  /** Where they come from. */
  children: ReactNode
}

/** Explains why a list is empty and offers to loosen the filters. */
export function NoEntities({ icon, what, query, onChange, children }: NoOwnersProps) {
  const [{ environment }, changeView] = useScopeSearch()
  const hasEnvironment = environment !== undefined && environment.length > 0
  return (
    <EmptyState
      icon={icon}
      title={isEmptyQuery(query) ? `No ${what} in this time range` : `No ${what} match the query`}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {!isEmptyQuery(query) && (
            <Button onPress={() => onChange(emptyQuery)}>Clear the query</Button>
          )}
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

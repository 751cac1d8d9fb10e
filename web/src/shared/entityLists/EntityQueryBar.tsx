import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { QueryBar, useSuggestions, type Query } from '@/shared/query'
import { countOf } from '@/shared/lib/format'
import { Callout } from '@/shared/ui'
import { useEntityCount } from './api/useEntityCount'
import { entityQueries, type EntityTable } from './model/fields'
import type { EntitySelection } from './useEntityQuery'

type EntityQueryBarProps = {
  table: EntityTable
  query: Query
  /** Parts of the URL that have no meaning here. */
  unknown: readonly string[]
  onChange: (query: Query) => void
}

const examples: Record<EntityTable, string> = {
  sessions: 'cost:>$0.10 errors:>0 user:ann',
  users: 'cost:>$1 sessions:>2 -level:ERROR',
}

/** The query bar over the fields of sessions or users, with the values that occur in the project. */
export function EntityQueryBar({ table, query, unknown, onChange }: EntityQueryBarProps) {
  const { project } = useProject()
  const [asked, setAsked] = useState<{ column: string | undefined; prefix: string }>()
  const { data } = useSuggestions(project.id, asked?.column, asked?.prefix ?? '')
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <QueryBar
        language={entityQueries[table]}
        onAsk={(column, prefix) => setAsked({ column, prefix })}
        suggested={data}
        query={query}
        onChange={onChange}
        label={`Filter ${table}`}
        placeholder={examples[table]}
      />
      {unknown.length > 0 && (
        <Callout tone="warning">
          Not applied, since {table} have no such fields: {unknown.join(', ')}
        </Callout>
      )}
    </div>
  )
}

/** How many sessions or users a list has, beside its table, in place of how many rows are loaded. */
export function EntityCount({
  table,
  selection,
}: {
  table: EntityTable
  selection: EntitySelection
}) {
  const { project } = useProject()
  const count = useEntityCount(project.id, table, selection)
  return (
    <span className="whitespace-nowrap">
      {count.data && countOf(count.data.count, table.slice(0, -1))}
    </span>
  )
}

import { useState } from 'react'
import { QueryBar, useSuggestions, type Query } from '@/shared/query'
import { Callout } from '@/shared/ui'
import { scoreQueries } from '../model/fields'

type ScoreQueryBarProps = {
  projectId: string
  query: Query
  /** Parts of the URL that have no meaning here. */
  unknown: readonly string[]
  onChange: (query: Query) => void
}

/** The query bar over the fields of scores, with the names that occur in the project. */
export function ScoreQueryBar({ projectId, query, unknown, onChange }: ScoreQueryBarProps) {
  const [asked, setAsked] = useState<{ column: string | undefined; prefix: string }>()
  const isName = asked?.column === 'name'
  // Scores are a column of traces, whose values are their names.
  const names = useSuggestions(projectId, isName ? 'scores' : undefined, asked?.prefix ?? '')
  const others = asked?.column === 'environment' ? asked.column : undefined
  const environments = useSuggestions(projectId, others, asked?.prefix ?? '')
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <QueryBar
        language={scoreQueries}
        onAsk={(column, prefix) => setAsked({ column, prefix })}
        suggested={isName ? names.data && { ...names.data, column: 'name' } : environments.data}
        query={query}
        onChange={onChange}
        label="Filter scores"
        placeholder="name:quality value:<0.5 category:=good source:ANNOTATION"
      />
      {unknown.length > 0 && (
        <Callout tone="warning">
          Not applied, since scores have no such fields: {unknown.join(', ')}
        </Callout>
      )}
    </div>
  )
}

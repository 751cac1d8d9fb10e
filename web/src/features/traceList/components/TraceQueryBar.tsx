import { useState } from 'react'
import { QueryBar, type Query } from '@/shared/query'
import { useSuggestions } from '../api/useSuggestions'
import { observationQueries } from '../model/query'

type TraceQueryBarProps = { projectId: string; query: Query; onChange: (query: Query) => void }

/** The query bar over the fields of observations, with the values that occur in the project. */
export function TraceQueryBar({ projectId, query, onChange }: TraceQueryBarProps) {
  const [asked, setAsked] = useState<{ column: string | undefined; prefix: string }>()
  const { data } = useSuggestions(projectId, asked?.column, asked?.prefix ?? '')
  return (
    <QueryBar
      language={observationQueries}
      onAsk={(column, prefix) => setAsked({ column, prefix })}
      suggested={data}
      query={query}
      onChange={onChange}
      placeholder='level:ERROR latency:>2s "words to find"'
    />
  )
}

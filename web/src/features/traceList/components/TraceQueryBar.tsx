import { useState } from 'react'
import { QueryBar, useSuggestions, type Query } from '@/shared/query'
import { languageOf } from '../model/question'
import type { Table } from '../model/view'

type TraceQueryBarProps = {
  projectId: string
  table: Table
  query: Query
  onChange: (query: Query) => void
}

/** The query bar over the fields of traces or observations, with the values that occur in the project. */
export function TraceQueryBar({ projectId, table, query, onChange }: TraceQueryBarProps) {
  const [asked, setAsked] = useState<{ column: string | undefined; prefix: string }>()
  const { data } = useSuggestions(projectId, asked?.column, asked?.prefix ?? '')
  return (
    <QueryBar
      language={languageOf(table)}
      onAsk={(column, prefix) => setAsked({ column, prefix })}
      suggested={data}
      query={query}
      onChange={onChange}
      placeholder='level:ERROR latency:>2s "words to find"'
    />
  )
}

import { useState } from 'react'
import { createQueryLanguage, emptyQuery, QueryBar } from '@/shared/query'

const language = createQueryLanguage([
  {
    name: 'status',
    column: 'status',
    kind: 'option',
    about: 'Status',
    values: ['ACTIVE', 'ARCHIVED'],
  },
  { name: 'split', column: 'split', kind: 'text', about: 'Part of the dataset' },
  { name: 'runs', column: 'runCount', kind: 'number', about: 'Number of runs', unit: 'count' },
  { name: 'created', column: 'createdAt', kind: 'time', about: 'When it was added' },
])

/** The query bar over fields of a dataset. */
export function GalleryQuery() {
  const [query, setQuery] = useState(() => language.compileQuery('status:ACTIVE runs:>3').query)
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <QueryBar language={language} query={query} onChange={setQuery} label="Find items" />
      <QueryBar
        language={language}
        query={emptyQuery}
        onChange={() => {}}
        label="Find more items"
        placeholder="status:ACTIVE runs:>3"
      />
    </div>
  )
}

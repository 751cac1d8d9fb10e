import type { ReactNode } from 'react'
import { Skeleton } from '@/shared/ui'
import { LoadError } from './LoadError'

type QueryViewProps<Data> = {
  query: {
    data: Data | undefined
    isError: boolean
    error: unknown
    refetch: () => Promise<unknown>
  }
  /** What the error calls it: "the members". */
  what: string
  /** Shown while it is loading; the text is the size of the usual placeholder. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query has found; until then a placeholder, or why it could not be loaded. */
export function QueryView<Data>({ query, what, skeleton, children }: QueryViewProps<Data>) {
  // What is shown stays if it cannot be loaded again: it may be a form that somebody fills in.
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadError title={`Couldn’t load ${what}`} query={query} />
  return typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton
}

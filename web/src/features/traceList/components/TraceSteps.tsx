import { lazy, Suspense } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'
import type { ListStepsProps } from './ListSteps'

const ListSteps = lazy(() =>
  import('./ListSteps').then((module) => ({ default: module.ListSteps })),
)

/**
 * The way to the traces before and after this one in the list that it was opened from, if there was one. The page of
 * the trace does not wait for the code of lists.
 */
export function TraceSteps(props: ListStepsProps) {
  const [{ list = '' }] = useSearchState()
  if (list === '') return null
  return (
    <Suspense fallback={null}>
      <ListSteps {...props} />
    </Suspense>
  )
}

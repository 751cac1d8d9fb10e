import { lazy, Suspense } from 'react'
import { Skeleton } from '@/shared/ui'
import type { DiffLayout } from './layout'

const DiffView = lazy(() => import('./DiffView').then((module) => ({ default: module.DiffView })))

export type DiffProps = {
  /** What is compared: "Output". */
  label: string
  before: string
  after: string
  /** The names of the two sides. */
  names?: readonly [before: string, after: string]
  /** How the sides are laid out; without it, the user chooses. */
  layout?: DiffLayout
  /** The height in pixels before it scrolls. */
  maxHeight?: number
  /** Texts that happen to be JSON are compared as they are written, too. */
  isVerbatim?: boolean
}

/** The exact difference between two texts or two JSON values, inline or side by side. Loaded when it is shown. */
export function Diff(props: DiffProps) {
  return (
    <Suspense fallback={<Skeleton className="h-24" />}>
      <DiffView {...props} />
    </Suspense>
  )
}

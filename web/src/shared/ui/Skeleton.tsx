import { cx } from '@/shared/lib/cx'

/**
 * A placeholder in the shape of the content. Text beside it, or aria-busy around it, tells that something is loading.
 */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('block h-4 animate-pulse rounded-sm bg-surface-2', className)}
    />
  )
}

import { cx } from '@/lib/cx'

/** Has the shape of what comes. The words beside it, or aria-busy around it, say that something is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('block h-4 animate-pulse rounded-sm bg-surface-2', className)}
    />
  )
}

import { cx } from '@/shared/lib/cx'

const endLength = 6

/**
 * An identifier that is cut in its middle where there is no room for it: ids and keys of one kind begin alike, and differ
 * at the end. It is copied whole.
 */
export function Identifier({ id, className }: { id: string; className?: string }) {
  const shown = id.slice(0, 500)
  const at = Math.max(0, shown.length - endLength)
  return (
    <code title={shown} className={cx('flex max-w-full min-w-0 font-mono text-sm', className)}>
      <span className="min-w-0 truncate">{shown.slice(0, at)}</span>
      <span className="shrink-0">{shown.slice(at)}</span>
    </code>
  )
}

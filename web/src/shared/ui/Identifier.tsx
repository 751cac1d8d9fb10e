import { cx } from '@/shared/lib/cx'
import { MiddleCut } from './MiddleCut'

/** An identifier, cut in its middle where there is no room for it. */
export function Identifier({ id, className }: { id: string; className?: string }) {
  const shown = id.slice(0, 500)
  return (
    <code title={shown} className={cx('flex max-w-full min-w-0 font-mono text-sm', className)}>
      <MiddleCut text={shown} isMono />
    </code>
  )
}

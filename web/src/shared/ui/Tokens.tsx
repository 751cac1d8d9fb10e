import { formatCount, formatExact } from '@/shared/lib/format'

/** A short count, with the exact number on hover. */
export function Tokens({ count }: { count: number | null | undefined }) {
  if (count === null || count === undefined) return <span className="text-text-3">–</span>
  const short = formatCount(count)
  const exact = formatExact(count)
  if (short === exact) return <span className="tabular">{short}</span>
  return (
    <span title={exact} className="tabular">
      {short}
    </span>
  )
}

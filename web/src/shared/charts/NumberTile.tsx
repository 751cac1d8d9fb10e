import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { cx } from '@/shared/lib/cx'

type NumberTileProps = {
  label: string
  /** The formatted value. */
  value: string
  /** The change against the previous range, formatted: "12%". */
  change?: { text: string; direction: 'up' | 'down' | 'same'; isGood?: boolean }
  detail?: string
}

const icons = { up: ArrowUp, down: ArrowDown, same: Minus }
const words = { up: 'up', down: 'down', same: 'unchanged,' }

/** One number, and how it changed. Whether that is good is said by colour only where it is known. */
export function NumberTile({ label, value, change, detail }: NumberTileProps) {
  const Icon = change && icons[change.direction]
  return (
    <dl className="flex min-w-36 flex-col gap-0.5 rounded-lg border border-border p-3">
      <dt className="text-sm text-text-3">{label}</dt>
      <dd className="tabular text-2xl font-medium">{value}</dd>
      {change && Icon && (
        <dd
          className={cx(
            'tabular flex items-center gap-1 text-sm [&_svg]:size-3.5',
            change.isGood === undefined || change.direction === 'same'
              ? 'text-text-3'
              : change.isGood
                ? 'text-success'
                : 'text-danger',
          )}
        >
          <Icon aria-hidden />
          <span className="sr-only">{words[change.direction]} </span>
          {change.text}
        </dd>
      )}
      {detail !== undefined && <dd className="text-sm text-text-3">{detail}</dd>}
    </dl>
  )
}

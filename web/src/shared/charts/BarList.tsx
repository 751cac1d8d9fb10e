import type { ReactNode } from 'react'

export type Bar = {
  id: string
  label: ReactNode
  value: number
  /** The formatted value, and an optional detail. */
  text: ReactNode
  detail?: ReactNode
}

/** Items by size, with a bar below each line. It is a list, so it needs no table beside it. */
export function BarList({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ol aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      {bars.map((bar) => (
        <li key={bar.id} className="flex min-w-0 flex-col gap-0.5">
          <span className="flex min-w-0 items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate">{bar.label}</span>
            {bar.detail !== undefined && (
              <span className="tabular hidden shrink-0 text-sm text-text-3 sm:inline">
                {bar.detail}
              </span>
            )}
            <span className="tabular shrink-0 text-sm font-medium">{bar.text}</span>
          </span>
          <span aria-hidden className="block h-1 rounded-full bg-surface-2">
            <span
              className="block h-1 rounded-full bg-accent"
              style={{ width: `${most > 0 ? Math.max(1, (bar.value / most) * 100) : 0}%` }}
            />
          </span>
        </li>
      ))}
    </ol>
  )
}

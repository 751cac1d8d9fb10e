import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import type { Tone } from './tone'

const tones: Record<Tone, string> = {
  neutral: 'bg-surface-2 text-text-2',
  accent: 'bg-accent-soft text-accent',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

/** A short label. Colour is never the only signal: the text says the same. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full items-center align-middle gap-1 rounded-sm px-1.5 text-sm whitespace-nowrap [&_svg]:size-3',
        tones[tone],
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}

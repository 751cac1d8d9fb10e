import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '@/shared/lib/cx'

type ChangeProps = {
  /** 1 is better, -1 is worse, 0 is the same. */
  change: number | null
  /** Whether it is a category, which is neither better nor worse. */
  isLabel: boolean
  text: string
}

/** How a value differs from the baseline. The text for screen readers says what the colour does. */
export function Change({ change, isLabel, text }: ChangeProps) {
  if (change === null || change === 0) return null
  if (isLabel) return <span className="text-accent">changed</span>
  return (
    <span
      className={cx(
        'inline-flex items-center gap-0.5 [&_svg]:size-3',
        change > 0 ? 'text-success' : 'text-danger',
      )}
    >
      {change > 0 ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />}
      <span className="sr-only">{change > 0 ? 'better' : 'worse'}</span>
      {text}
    </span>
  )
}

import { progressText } from '../model/queue'

type ProgressBarProps = { pending: number; completed: number }

/** How many of the items are completed, as a number and as a bar. */
export function ProgressBar({ pending, completed }: ProgressBarProps) {
  const total = pending + completed
  const percent = total === 0 ? 0 : Math.floor((100 * completed) / total)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="tabular shrink-0">{progressText({ pending, completed })}</span>
      <span aria-hidden className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-full bg-surface-2">
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
    </span>
  )
}

import { Link } from '@tanstack/react-router'
import { formatDuration, formatExact, formatMoney } from '@/shared/lib/format'
import { Callout, LevelBadge, linkClass } from '@/shared/ui'
import type { Original } from '../model/state'

type OriginalViewProps = { projectId: string; original: Original }

/** The answer that a window began with. */
export function OriginalView({ projectId, original }: OriginalViewProps) {
  const { text, level, statusMessage, ms, cost, totalTokens } = original
  const figures = [
    totalTokens !== undefined && totalTokens > 0 && `${formatExact(totalTokens)} tokens`,
    cost !== undefined && formatMoney(cost),
    ms !== undefined && formatDuration(ms),
  ].filter((each) => each !== false)
  return (
    <section aria-label="Original answer" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-6 flex-wrap items-center gap-2 text-sm text-text-3">
        <h3 className="font-medium text-text-2">Original answer</h3>
        <LevelBadge level={level} />
        <span>{figures.join(', ')}</span>
        <Link
          to="/project/$projectId/traces/$traceId"
          params={{ projectId, traceId: original.traceId }}
          search={{ observation: original.observationId }}
          className={`${linkClass} ml-auto`}
        >
          Trace
        </Link>
      </div>
      {statusMessage !== '' && (
        <Callout tone={level === 'ERROR' ? 'danger' : 'neutral'}>
          {statusMessage.slice(0, 2000)}
        </Callout>
      )}
      {text !== '' && (
        <div
          dir="auto"
          className="max-h-60 overflow-y-auto rounded-md border border-border bg-surface-1 px-2.5 py-1.5 break-words whitespace-pre-wrap"
          // A region that scrolls has to be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="region"
          aria-label="Text of the original answer"
        >
          {text}
        </div>
      )}
    </section>
  )
}

import { cx } from '@/shared/lib/cx'
import { formatDuration } from '@/shared/lib/format'
import type { Scale, Window } from '../model/scale'
import { durationOf, levelOf, typeOf, type Tree } from '../model/tree'
import { traceRow } from '../model/visible'
import { typeColor } from './typeColor'

type TimelineBarProps = { tree: Tree; row: number; scale: Scale; window: Window; isDimmed: boolean }

/** When an observation ran, within the visible part of the timeline. */
export function TimelineBar({ tree, row, scale, window, isDimmed }: TimelineBarProps) {
  const isTrace = row === traceRow
  const start = isTrace ? tree.from : (tree.start[row] ?? 0)
  const end = isTrace ? tree.to : (tree.end[row] ?? 0)
  const shown = window.to - window.from
  const from = (scale.toPosition(start) - window.from) / shown
  const to = (scale.toPosition(end) - window.from) / shown
  const left = Math.min(1, Math.max(0, from))
  const right = Math.min(1, Math.max(0, to))
  const isIn = from <= 1 && to >= 0
  const duration = isTrace ? end - start : durationOf(tree, row)
  const text = duration === undefined ? 'running' : formatDuration(duration)
  // The label goes where there is room: after the bar, before it, or on it.
  const place = right < 0.82 ? 'after' : left > 0.18 ? 'before' : 'on'
  const isError = !isTrace && levelOf(tree, row) === 'ERROR'
  return (
    <span
      className="relative h-full min-w-0 overflow-hidden"
      title={`${text}, from ${formatDuration(start - tree.from)}`}
    >
      {scale.gaps.map((gap) => {
        const at = (scale.toPosition(gap.from) - window.from) / shown
        const until = (scale.toPosition(gap.to) - window.from) / shown
        if (at > 1 || until < 0) return null
        return (
          <span
            key={gap.from}
            className="absolute inset-y-0 border-x border-dashed border-control/50 bg-surface-2"
            style={{ left: percent(at), width: percent(until - at) }}
          />
        )
      })}
      {isIn && (
        <span
          className={cx(
            'absolute inset-y-1.5 min-w-0.5 rounded-sm',
            isTrace ? 'bg-control' : typeColor(typeOf(tree, row)).bar,
            isError && 'outline-2 -outline-offset-1 outline-danger',
            (duration === undefined || isDimmed) && 'opacity-50',
          )}
          style={{ left: percent(left), width: percent(right - left) }}
        />
      )}
      {isIn && (
        <span
          className={cx(
            'tabular absolute top-1/2 -translate-y-1/2 rounded-sm px-1 text-xs whitespace-nowrap',
            place === 'on' ? 'bg-surface-0/85 text-text-1' : 'text-text-2',
          )}
          style={
            place === 'before'
              ? { right: percent(1 - left) }
              : { left: place === 'after' ? percent(right) : percent(Math.max(left, 0)) }
          }
        >
          {text}
        </span>
      )}
    </span>
  )
}

function percent(part: number): string {
  return `${part * 100}%`
}

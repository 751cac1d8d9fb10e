import { formatDuration } from '@/shared/lib/format'
import { marks, type Scale, type Window } from '../model/scale'

/** The time axis of the visible range. */
export function Axis({ scale, window }: { scale: Scale; window: Window }) {
  return (
    <div aria-hidden className="relative h-5 overflow-hidden text-xs text-text-3">
      {marks(scale, window, 5).map(({ time, at }) => (
        <span
          key={time}
          className="tabular absolute inset-y-0 border-l border-border pl-1 whitespace-nowrap"
          style={{ left: `${at * 100}%` }}
        >
          {formatDuration(time)}
        </span>
      ))}
    </div>
  )
}

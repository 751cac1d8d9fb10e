import { useState, type PointerEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { formatExact } from '@/shared/lib/format'
import { barsOf, bucketAt, type Histogram } from '../model/histogram'
import type { Table } from '../model/view'

type HistogramChartProps = {
  histogram: Histogram
  /** What is counted. */
  table: Table
  isStale: boolean
  mark: { a: number; b: number } | undefined
  onHover: (index: number | undefined) => void
  onMark: (a: number, b: number) => void
}

const height = 56
const leastHeight = 3 / height

/**
 * Bars over time, with errors in colour at the bottom. Dragging marks a range; the table is the alternative to
 * dragging.
 */
export function HistogramChart({
  histogram,
  table,
  isStale,
  mark,
  onHover,
  onMark,
}: HistogramChartProps) {
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>(undefined)
  const count = histogram.buckets.length
  const indexAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return bucketAt(count, box.width === 0 ? 0 : (event.clientX - box.left) / box.width)
  }
  const shown = drag ? { a: drag.from, b: drag.to } : mark
  const total = histogram.buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const errors = histogram.buckets.reduce((sum, bucket) => sum + bucket.errors, 0)
  return (
    <svg
      role="img"
      aria-label={`${formatExact(total)} ${table} over time, ${formatExact(errors)} with errors`}
      viewBox={`0 0 ${count} ${height}`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = indexAt(event)
        setDrag({ from: at, to: at })
      }}
      onPointerMove={(event) => {
        const at = indexAt(event)
        onHover(at)
        if (drag && drag.to !== at) setDrag({ ...drag, to: at })
      }}
      onPointerUp={(event) => {
        if (!drag) return
        setDrag(undefined)
        onMark(drag.from, indexAt(event))
      }}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => onHover(undefined)}
      className={cx(
        'h-14 w-full cursor-crosshair touch-none border-b border-border transition-opacity duration-100',
        isStale && 'opacity-50',
      )}
    >
      {shown && (
        <rect
          x={Math.min(shown.a, shown.b)}
          width={Math.abs(shown.a - shown.b) + 1}
          height={height}
          className="fill-accent-soft"
        />
      )}
      {barsOf(histogram, leastHeight).map((bar) => (
        <g key={bar.index}>
          <rect
            x={bar.index + 0.1}
            y={height * (1 - bar.height)}
            width={0.8}
            height={height * bar.height}
            className="fill-control/70"
          />
          {bar.errorHeight > 0 && (
            <rect
              x={bar.index + 0.1}
              y={height * (1 - bar.errorHeight)}
              width={0.8}
              height={height * bar.errorHeight}
              className="fill-danger"
            />
          )}
        </g>
      ))}
    </svg>
  )
}

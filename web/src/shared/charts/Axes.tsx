import { axisLabel } from './model/bucketLabel'
import { spread } from './model/scale'

const labelClass = 'tabular fill-text-3 text-xs'

type ValueAxisProps = {
  ticks: readonly number[]
  /** Where the area of the chart begins and ends. */
  left: number
  end: number
  y: (value: number) => number
  format: (value: number) => string
}

/** The lines across a chart, with their values on the left. */
export function ValueAxis({ ticks, left, end, y, format }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick} className="text-border">
      <line x1={left} x2={end} y1={y(tick)} y2={y(tick)} stroke="currentColor" />
      <text x={left - 6} y={y(tick)} dy="0.32em" textAnchor="end" className={labelClass}>
        {format(tick)}
      </text>
    </g>
  ))
}

type LabelsProps = {
  /** The indexes of the buckets that have a label. */
  at: readonly number[]
  x: (index: number) => number
  y: number
  text: (index: number) => string
  anchor?: (index: number) => 'start' | 'middle'
}

/** The labels below a chart. */
export function Labels({ at, x, y, text, anchor }: LabelsProps) {
  return at.map((index) => (
    <text
      key={index}
      x={x(index)}
      y={y}
      textAnchor={anchor?.(index) ?? 'middle'}
      className={labelClass}
    >
      {text(index)}
    </text>
  ))
}

type TimeAxisProps = {
  starts: readonly Date[]
  step: number
  zone: Parameters<typeof axisLabel>[2]
  /** The width of a bucket, and of all of them. */
  band: number
  width: number
  x: (index: number) => number
  y: number
}

/** The times below a chart, as many as there is room for. */
export function TimeAxis({ starts, step, zone, band, width, x, y }: TimeAxisProps) {
  return (
    <Labels
      at={spread(starts.length, Math.max(2, Math.floor(width / 72)))}
      x={x}
      y={y}
      text={(index) => axisLabel(starts[index] ?? new Date(0), step, zone)}
      anchor={(index) => (band * index < 8 && band < 36 ? 'start' : 'middle')}
    />
  )
}

/** The line through the bucket that is read out. */
export function Cursor({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  return <line x1={x} x2={x} y1={top} y2={bottom} stroke="currentColor" className="text-text-3" />
}

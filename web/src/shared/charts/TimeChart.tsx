import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { ChartFrame } from './ChartFrame'
import { axisLabel, bucketLabel } from './model/bucketLabel'
import { linear, nearest, niceTicks, spread } from './model/scale'
import { Readout } from './Readout'
import { toneClass, type ChartTone } from './tone'
import { useWidth } from './useWidth'

export type Series = {
  label: string
  tone: ChartTone
  /** One value for each bucket; null where there is none. */
  values: readonly (number | null)[]
  /** Belongs to the previous range: drawn as a dashed line. */
  isBefore?: boolean
  kind?: 'line' | 'bars'
}

type TimeChartProps = {
  title: string
  beside?: ReactNode
  /** The start of each bucket, and the length of a bucket in milliseconds. */
  starts: readonly Date[]
  step: number
  series: readonly Series[]
  format: (value: number) => string
  /** Opens the rows of a bucket. */
  onOpen?: (from: Date, to: Date) => void
  height?: number
}

const left = 52
const right = 8
const top = 6
const bottom = 20

/**
 * Values over time as thin lines or bars. Pointing shows the values of all series; Enter or a click opens the rows of
 * the bucket.
 */
export function TimeChart(props: TimeChartProps) {
  const { title, beside, starts, step, series, format, onOpen, height = 140 } = props
  const zone = usePreference(zonePreference)
  const [svg, width] = useWidth<SVGSVGElement>(480)
  const [at, setAt] = useState<number>()
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const ticks = niceTicks(Math.min(0, ...all), Math.max(0, ...all), height < 120 ? 2 : 4)
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - bottom, top])
  const band = Math.max(1, width - left - right) / Math.max(1, starts.length)
  // Bars stay slim even if there are few buckets.
  const bar = Math.max(1, Math.min(36, band * 0.8))
  const middle = (index: number) => left + band * (index + 0.5)
  const open = (index: number) => {
    const from = starts[index]
    if (from) onOpen?.(from, new Date(from.getTime() + step))
  }
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    setAt(nearest(x / Math.max(1, width - left - right), starts.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? starts.length - 1
    const next: Record<string, number> = {
      ArrowLeft: at === undefined ? now : now - 1,
      ArrowRight: at === undefined ? now : now + 1,
      Home: 0,
      End: starts.length - 1,
    }
    if (event.key === 'Enter' && at !== undefined) open(at)
    else if (event.key === 'Escape') setAt(undefined)
    else if (Object.hasOwn(next, event.key))
      setAt(Math.min(starts.length - 1, Math.max(0, next[event.key] ?? 0)))
    else return
    event.preventDefault()
  }
  const textAt = (index: number) => {
    const start = starts[index]
    if (!start) return 'No values'
    const values = series.map((each) => `${each.label} ${valueText(each.values[index], format)}`)
    return `${bucketLabel(start, step, zone)}: ${values.join(', ')}`
  }
  const here = at === undefined ? undefined : starts[at]
  const labels = spread(starts.length, Math.max(2, Math.floor((width - left) / 72)))
  return (
    <ChartFrame
      title={title}
      beside={beside}
      table={{
        head: ['Time', ...series.map(({ label }) => label)],
        rows: starts.map((start, index) => [
          bucketLabel(start, step, zone),
          ...series.map(({ values }) => valueText(values[index], format)),
        ]),
      }}
    >
      <div className="relative min-w-0">
        <svg
          ref={svg}
          // A cursor moved by the arrow keys; screen readers read out the values under it.
          role="slider"
          aria-label={onOpen ? `${title}. Enter opens the rows.` : title}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, starts.length - 1)}
          aria-valuenow={at ?? starts.length - 1}
          aria-valuetext={textAt(at ?? starts.length - 1)}
          tabIndex={0}
          height={height}
          className={cx('block w-full touch-pan-y rounded-sm', onOpen && 'cursor-pointer')}
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
          onBlur={() => setAt(undefined)}
          onKeyDown={onKeyDown}
          onClick={() => at !== undefined && open(at)}
        >
          {ticks.map((tick) => (
            <g key={tick} className="text-border">
              <line
                x1={left}
                x2={width - right}
                y1={y(tick)}
                y2={y(tick)}
                stroke="currentColor"
                strokeWidth={1}
              />
              <text
                x={left - 6}
                y={y(tick)}
                dy="0.32em"
                textAnchor="end"
                className="tabular fill-text-3 text-xs"
              >
                {format(tick)}
              </text>
            </g>
          ))}
          {labels.map((index) => (
            <text
              key={index}
              x={middle(index)}
              y={height - 5}
              textAnchor={band * index < 8 && band < 36 ? 'start' : 'middle'}
              className="tabular fill-text-3 text-xs"
            >
              {axisLabel(starts[index] ?? new Date(0), step, zone)}
            </text>
          ))}
          {series.map((each) =>
            each.kind === 'bars' ? (
              <g key={each.label} className={toneClass[each.tone]}>
                {each.values.map((value, index) =>
                  value === null || value === 0 ? null : (
                    <rect
                      // Buckets have no identity other than their index.
                      key={index}
                      x={middle(index) - bar / 2}
                      width={bar}
                      y={y(value)}
                      height={Math.max(1, y(0) - y(value))}
                      fill="currentColor"
                    />
                  ),
                )}
              </g>
            ) : (
              <path
                key={each.label}
                className={toneClass[each.tone]}
                d={pathOf(each.values, middle, y)}
                fill="none"
                stroke="currentColor"
                strokeWidth={each.isBefore ? 1 : 1.5}
                strokeDasharray={each.isBefore ? '3 3' : undefined}
                strokeLinejoin="round"
                strokeLinecap="round"
              />
            ),
          )}
          {at !== undefined && (
            <line
              x1={middle(at)}
              x2={middle(at)}
              y1={top}
              y2={height - bottom}
              stroke="currentColor"
              className="text-text-3"
            />
          )}
        </svg>
        {here && at !== undefined && (
          <Readout
            title={bucketLabel(here, step, zone)}
            isLeft={middle(at) > width / 2}
            lines={series.map(({ label, tone, values, isBefore }) => ({
              label,
              tone,
              isBefore,
              value: valueText(values[at], format),
            }))}
          />
        )}
      </div>
    </ChartFrame>
  )
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

/** A path with gaps where values are missing; an isolated value is a dot. */
function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = ''
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    path += `${isOpen ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${isOpen ? '' : 'h0'}`
    isOpen = true
  }
  return path
}

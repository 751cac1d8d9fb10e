import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { Cursor, TimeAxis, ValueAxis } from './Axes'
import { ChartFrame } from './ChartFrame'
import { bucketEnd, bucketLabel } from './model/bucketLabel'
import { lineOf } from './model/lineOf'
import { linear, nearest, niceTicks } from './model/scale'
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
    if (from) onOpen?.(from, bucketEnd(starts, index, step))
  }
  const indexOf = (event: MouseEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    return nearest(x / Math.max(1, width - left - right), starts.length)
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
          aria-label={onOpen ? `${title}. Enter opens this time range.` : title}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, starts.length - 1)}
          aria-valuenow={at ?? starts.length - 1}
          aria-valuetext={textAt(at ?? starts.length - 1)}
          tabIndex={0}
          height={height}
          className={cx('block w-full touch-pan-y rounded-sm', onOpen && 'cursor-pointer')}
          onPointerMove={(event) => setAt(indexOf(event))}
          onPointerLeave={() => setAt(undefined)}
          onBlur={() => setAt(undefined)}
          onKeyDown={onKeyDown}
          // On touch screens the pointer has left by now.
          onClick={(event) => open(indexOf(event))}
        >
          <ValueAxis ticks={ticks} left={left} end={width - right} y={y} format={format} />
          <TimeAxis
            {...{ starts, step, zone, band }}
            width={width - left}
            x={middle}
            y={height - 5}
          />
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
                d={lineOf(each.values, middle, y)}
                fill="none"
                stroke="currentColor"
                strokeWidth={each.isBefore ? 1 : 1.5}
                strokeDasharray={each.isBefore ? '3 3' : undefined}
                strokeLinejoin="round"
                strokeLinecap="round"
              />
            ),
          )}
          {at !== undefined && <Cursor x={middle(at)} top={top} bottom={height - bottom} />}
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

import { useMemo, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { formatExact } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { Cursor, TimeAxis, ValueAxis } from './Axes'
import { ChartFrame } from './ChartFrame'
import { bucketEnd, bucketLabel } from './model/bucketLabel'
import { lineOf } from './model/lineOf'
import { barAt, between, stacked, toned, type RawSeries } from './model/manySeries'
import { linear, nearest, niceTicks } from './model/scale'
import { Readout } from './Readout'
import { SeriesLegend } from './SeriesLegend'
import { toneClass } from './tone'
import { useWidth } from './useWidth'

type SeriesChartProps = {
  title: string
  /** The start of each bucket, and the length of a bucket in milliseconds. */
  starts: readonly Date[]
  step: number
  series: readonly RawSeries[]
  /** Stacked bars for what can be added up, lines for what cannot. */
  kind: 'stacked' | 'lines'
  format: (value: number) => string
  /** Narrows the page to the buckets that were selected by dragging, or with Shift and the arrow keys. */
  onSelect?: (from: Date, to: Date) => void
  /** Opens what is behind a bucket: of one series or, with no label, of all. Not together with `onSelect`. */
  onOpen?: (label: string | undefined, from: Date, to: Date) => void
  /** What happened at moments of the range: lines across the chart, in order. */
  marks?: readonly { at: Date; label: string }[]
  height?: number
}

const left = 52
const right = 8
const top = 6
const bottom = 20

/** Many series over time: stacked bars or lines, a legend that switches them, and a brush that selects time. */
export function SeriesChart(props: SeriesChartProps) {
  const { title, starts, step, kind, format, onSelect, onOpen, marks = [], height = 200 } = props
  const zone = usePreference(zonePreference)
  const [svg, width] = useWidth<SVGSVGElement>(480)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState<number>()
  /** Where the selection began; it ends at the cursor. */
  const [anchor, setAnchor] = useState<number>()
  /** The series that the arrow keys have chosen in a bucket. */
  const [chosen, setChosen] = useState<string>()
  const all = useMemo(() => toned(props.series, kind === 'stacked'), [props.series, kind])
  const series = all.filter(({ label }) => !hidden.has(label))
  const bars = stacked(series, starts.length)
  const drawn =
    kind === 'stacked'
      ? (bars.at(-1)?.map(([, to]) => to) ?? [])
      : series.flatMap(({ values }) => values.map((value) => value ?? 0))
  const ticks = niceTicks(Math.min(0, ...drawn), Math.max(0, ...drawn))
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - bottom, top])
  const band = Math.max(1, width - left - right) / Math.max(1, starts.length)
  const bar = Math.max(1, Math.min(36, band * 0.8))
  const middle = (index: number) => left + band * (index + 0.5)
  const last = starts.length - 1

  const indexOf = (event: PointerEvent<SVGSVGElement> | MouseEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    return nearest(x / Math.max(1, width - left - right), starts.length)
  }
  const select = (a: number, b: number) => {
    const range = between(a, b)
    const from = starts[range.first]
    setAnchor(undefined)
    if (from) onSelect?.(from, bucketEnd(starts, range.last, step))
  }
  const open = (index: number, of: string | undefined) => {
    const from = starts[index]
    if (from) onOpen?.(of, from, bucketEnd(starts, index, step))
  }
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
    const place = event.clientY - event.currentTarget.getBoundingClientRect().top
    const value = low + ((height - bottom - place) / (height - bottom - top)) * (high - low)
    const index = indexOf(event)
    const of = kind === 'stacked' ? barAt(bars, index, value) : undefined
    open(index, of === undefined ? undefined : series[of]?.label)
  }
  /** The next series upwards that has a bar in the bucket; beyond the last one, none is chosen. */
  const choose = (index: number, by: 1 | -1) => {
    const there = series.filter((_, place) => {
      const [from, to] = bars[place]?.[index] ?? [0, 0]
      return to > from
    })
    const now = there.findIndex(({ label: of }) => of === chosen)
    const next = now < 0 ? (by === 1 ? 0 : there.length - 1) : now + by
    setChosen(there[next]?.label)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? last
    const next: Record<string, number> = {
      ArrowLeft: at === undefined ? now : now - 1,
      ArrowRight: at === undefined ? now : now + 1,
      Home: 0,
      End: last,
    }
    if (event.key === 'Escape') {
      if (anchor === undefined) setAt(undefined)
      setAnchor(undefined)
      setChosen(undefined)
    } else if (onOpen && event.key === 'Enter' && at !== undefined) open(at, chosen)
    else if (onOpen && event.key === 'ArrowUp' && at !== undefined) choose(at, 1)
    else if (onOpen && event.key === 'ArrowDown' && at !== undefined) choose(at, -1)
    else if (event.key === 'Enter' && at !== undefined && onSelect) select(anchor ?? at, at)
    else if (Object.hasOwn(next, event.key)) {
      if (event.shiftKey && onSelect) setAnchor(anchor ?? now)
      else setAnchor(undefined)
      setAt(Math.min(last, Math.max(0, next[event.key] ?? 0)))
    } else return
    event.preventDefault()
  }
  const label = (index: number) => {
    const start = starts[index]
    return start ? bucketLabel(start, step, zone) : ''
  }
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : format(value)
  const placed = marks.flatMap(({ at: moment, label: name }) => {
    const index = starts.findLastIndex((start) => start <= moment)
    const start = starts[index]
    const share = start ? (moment.getTime() - start.getTime()) / step : 0
    return start && share <= 1 ? [{ index, name, x: left + band * (index + share) }] : []
  })
  const marksAt = (index: number) =>
    placed.filter((mark) => mark.index === index).map(({ name }) => name)
  const textAt = (index: number) => {
    const told = chosen === undefined ? series : series.filter((each) => each.label === chosen)
    const values = told.map((each) => `${each.label} ${text(each.values[index])}`)
    return `${label(index)}: ${[...values, ...marksAt(index)].join(', ')}`
  }
  const range = anchor === undefined || at === undefined ? undefined : between(anchor, at)
  return (
    <ChartFrame
      title={title}
      table={{
        head: [
          'Time',
          ...series.map((each) => each.label),
          ...(placed.length > 0 ? ['What happened'] : []),
        ],
        rows: starts.map((_, index) => [
          label(index),
          ...series.map(({ values }) => text(values[index])),
          ...(placed.length > 0 ? [marksAt(index).join(', ')] : []),
        ]),
      }}
    >
      <div className="relative min-w-0">
        <svg
          ref={svg}
          // A cursor moved by the arrow keys; screen readers read out the values under it.
          role="slider"
          aria-label={
            onSelect
              ? `${title}. Shift and arrow keys select time, Enter shows it.`
              : onOpen
                ? `${title}. Up and down choose a series, Enter opens it.`
                : title
          }
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={at ?? Math.max(0, last)}
          aria-valuetext={
            range ? `${label(range.first)} to ${label(range.last)}` : textAt(at ?? last)
          }
          tabIndex={0}
          height={height}
          className={cx('block w-full touch-pan-y rounded-sm', onOpen && 'cursor-pointer')}
          onClick={onOpen && onClick}
          onPointerDown={(event) => {
            if (!onSelect || event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setAnchor(indexOf(event))
            setAt(indexOf(event))
          }}
          onPointerMove={(event) => setAt(indexOf(event))}
          onPointerUp={(event) => {
            // A click is no selection.
            if (anchor !== undefined && anchor !== indexOf(event)) select(anchor, indexOf(event))
            else setAnchor(undefined)
          }}
          onPointerLeave={() => anchor === undefined && setAt(undefined)}
          onPointerCancel={() => setAnchor(undefined)}
          onBlur={() => {
            setAt(undefined)
            setAnchor(undefined)
            setChosen(undefined)
          }}
          onKeyDown={onKeyDown}
        >
          <ValueAxis ticks={ticks} left={left} end={width - right} y={y} format={format} />
          <TimeAxis
            {...{ starts, step, zone, band }}
            width={width - left}
            x={middle}
            y={height - 5}
          />
          {range && (
            <rect
              x={left + band * range.first}
              width={band * (range.last - range.first + 1)}
              y={top}
              height={height - bottom - top}
              className="fill-accent-soft"
            />
          )}
          {series.map((each, place) => (
            <g key={each.label} className={toneClass[each.tone]}>
              {kind === 'stacked' ? (
                bars[place]?.map(([from, to], index) =>
                  to > from ? (
                    <rect
                      // Buckets have no identity other than their index.
                      key={index}
                      x={middle(index) - bar / 2}
                      width={bar}
                      y={y(to)}
                      // A gap between neighbours, so that colour is not all that tells them apart.
                      height={Math.max(0.5, y(from) - y(to) - (place > 0 ? 1 : 0))}
                      fill="currentColor"
                      stroke={index === at && each.label === chosen ? 'currentColor' : undefined}
                      strokeWidth={3}
                    />
                  ) : null,
                )
              ) : (
                <path
                  d={lineOf(each.values, middle, y)}
                  fill="none"
                  stroke="currentColor"
                  strokeWidth={1.5}
                  strokeLinejoin="round"
                  strokeLinecap="round"
                />
              )}
            </g>
          ))}
          {placed.map((mark, place) => (
            <line
              // Several may be at the same moment.
              key={place}
              x1={mark.x}
              x2={mark.x}
              y1={top}
              y2={height - bottom}
              stroke="currentColor"
              strokeDasharray="2 2"
              className="text-text-2"
            >
              <title>{mark.name}</title>
            </line>
          ))}
          {at !== undefined && <Cursor x={middle(at)} top={top} bottom={height - bottom} />}
        </svg>
        {at !== undefined && (
          <Readout
            title={label(at)}
            notes={marksAt(at)}
            isLeft={middle(at) > width / 2}
            lines={series.map((each) => ({
              label: each.label,
              tone: each.tone,
              value: text(each.values[at]),
            }))}
          />
        )}
        <SeriesLegend items={all} hidden={hidden} onChange={setHidden} />
        {kind === 'lines' && all.length < props.series.length && (
          <p className="px-1.5 text-sm text-text-3">
            {formatExact(props.series.length - all.length)} smaller series not shown
          </p>
        )}
      </div>
    </ChartFrame>
  )
}

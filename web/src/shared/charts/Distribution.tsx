import { useState, type KeyboardEvent } from 'react'
import { formatExact } from '@/shared/lib/format'
import { Labels, ValueAxis } from './Axes'
import { ChartFrame } from './ChartFrame'
import { Legend } from './Legend'
import { linear, nearest, niceTicks, spread } from './model/scale'
import { Readout } from './Readout'
import { toneClass, type ChartTone } from './tone'
import { useWidth } from './useWidth'

type DistributionProps = {
  title: string
  /** The names of the bins or categories, in order. */
  bins: readonly string[]
  series: readonly { label: string; tone: ChartTone; counts: readonly number[] }[]
  height?: number
}

const left = 44
const right = 8
const top = 6
const bottom = 20

/** How often each value, or each range of values, occurs, for one score or two side by side. */
export function Distribution({ title, bins, series, height = 180 }: DistributionProps) {
  const [svg, width] = useWidth<SVGSVGElement>(480)
  const [at, setAt] = useState<number>()
  const ticks = niceTicks(0, Math.max(...series.flatMap(({ counts }) => counts), 0))
  const y = linear([0, ticks.at(-1) ?? 1], [height - bottom, top])
  const band = Math.max(1, width - left - right) / Math.max(1, bins.length)
  // Bars stay slim even if there are few bins.
  const bar = Math.min(48, (band * 0.8) / Math.max(1, series.length))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') setAt(Math.max(0, (at ?? bins.length) - 1))
    else if (event.key === 'ArrowRight') setAt(Math.min(bins.length - 1, (at ?? -1) + 1))
    else if (event.key === 'Escape') setAt(undefined)
    else return
    event.preventDefault()
  }
  const textAt = (index: number) =>
    `${bins[index] ?? ''}: ${series.map(({ label, counts }) => `${label} ${formatExact(counts[index] ?? 0)}`).join(', ')}`
  const labels = spread(bins.length, Math.max(2, Math.floor((width - left) / 76)))
  return (
    <ChartFrame
      title={title}
      beside={series.length > 1 && <Legend items={series} />}
      table={{
        head: ['Value', ...series.map(({ label }) => label)],
        rows: bins.map((bin, index) => [
          bin,
          ...series.map(({ counts }) => formatExact(counts[index] ?? 0)),
        ]),
      }}
    >
      <div className="relative min-w-0">
        <svg
          ref={svg}
          // A cursor moved by the arrow keys; screen readers read out the values under it.
          role="slider"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, bins.length - 1)}
          aria-valuenow={at ?? 0}
          aria-valuetext={textAt(at ?? 0)}
          tabIndex={0}
          height={height}
          className="block w-full touch-pan-y rounded-sm"
          onPointerMove={(event) => {
            const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left
            setAt(nearest(x / Math.max(1, width - left - right), bins.length))
          }}
          onPointerLeave={() => setAt(undefined)}
          onBlur={() => setAt(undefined)}
          onKeyDown={onKeyDown}
        >
          <ValueAxis ticks={ticks} left={left} end={width - right} y={y} format={formatExact} />
          {series.map(({ label, tone, counts }, place) => (
            <g key={label} className={toneClass[tone]}>
              {counts.map((count, index) =>
                count === 0 ? null : (
                  <rect
                    // Bins have no identity other than their index.
                    key={index}
                    x={left + band * (index + 0.5) + bar * (place - series.length / 2)}
                    width={Math.max(1, bar - 1)}
                    y={y(count)}
                    height={Math.max(1, y(0) - y(count))}
                    fill="currentColor"
                    fillOpacity={at === undefined || at === index ? 1 : 0.6}
                  />
                ),
              )}
            </g>
          ))}
          <Labels
            at={labels}
            x={(index) => left + band * (index + 0.5)}
            y={height - 5}
            text={(index) => short(bins[index] ?? '')}
          />
        </svg>
        {at !== undefined && bins[at] !== undefined && (
          <Readout
            title={bins[at]}
            isLeft={at > bins.length / 2}
            lines={series.map(({ label, tone, counts }) => ({
              label,
              tone,
              value: formatExact(counts[at] ?? 0),
            }))}
          />
        )}
      </div>
    </ChartFrame>
  )
}

function short(text: string): string {
  return text.length > 12 ? `${text.slice(0, 11)}…` : text
}

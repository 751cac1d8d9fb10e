import { useState } from 'react'
import { formatExact } from '@/shared/lib/format'
import { HeatMap, NumberTile, Pivot, SeriesChart } from '@/shared/charts'

const hour = 3_600_000
const starts = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2026, 0, 15, at)))
const series = Array.from({ length: 11 }, (_, of) => ({
  label: `model-${String.fromCharCode(97 + of)}`,
  values: starts.map((_, at) => Math.round((40 / (of + 1)) * (1.3 + Math.sin(at / 3 + of)))),
}))

/** Charts with many series, numbers, pivots and heat maps. */
export function GalleryCharts() {
  const [range, setRange] = useState('')
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      <div className="flex flex-wrap gap-3">
        <NumberTile
          label="Cost"
          value="$12.40"
          change={{ text: '12%', direction: 'up', isGood: false }}
        />
        <NumberTile
          label="Errors"
          value="0.4%"
          change={{ text: '0.2 points', direction: 'down', isGood: true }}
        />
        <NumberTile
          label="Traces"
          value="12.3k"
          change={{ text: '0%', direction: 'same' }}
          detail="last 24 hours"
        />
      </div>
      <SeriesChart
        title="Calls by model"
        starts={starts}
        step={hour}
        series={series}
        kind="stacked"
        format={formatExact}
        onSelect={(from, to) => setRange(`${from.toISOString()} – ${to.toISOString()}`)}
      />
      {range !== '' && <p className="text-sm text-text-3">{range}</p>}
      <SeriesChart
        title="Latency by model"
        starts={starts}
        step={hour}
        series={series.slice(0, 8)}
        kind="lines"
        format={formatExact}
      />
      <Pivot
        label="Calls by model and day"
        rowTitle="Model"
        columnTitle="Day"
        rows={['small', 'large']}
        columns={['12 Jan', '13 Jan', '14 Jan']}
        values={[
          [120, 98, null],
          [12, 40, 33],
        ]}
        format={formatExact}
        hasTotals
      />
      <HeatMap
        label="Scores of people and evaluators"
        rowTitle="People"
        columnTitle="Evaluator"
        rows={['good', 'bad']}
        columns={['good', 'unclear', 'bad']}
        counts={[
          [42, 6, 1],
          [0, 9, 17],
        ]}
        cell={(_row, _column, text) => text}
      />
    </div>
  )
}

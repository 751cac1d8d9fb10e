import { ChartColumn, Table2 } from 'lucide-react'
import { useState } from 'react'
import { ErrorLine } from '@/shared/errors'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { labelRange, type TimeRange } from '@/shared/lib/timeRange'
import { formatExact } from '@/shared/lib/format'
import { Button, IconButton, Skeleton } from '@/shared/ui'
import { useHistogram } from '../api/useHistogram'
import type { TraceQuery } from '../api/useTraceQuery'
import { brushed, bucketTimes, type Histogram } from '../model/histogram'
import { HistogramChart } from './HistogramChart'
import { HistogramTable } from './HistogramTable'

type HistogramBarProps = {
  projectId: string
  view: TraceQuery
  isEnabled: boolean
  onCompare: (range: TimeRange) => void
}

/** The distribution over time. A marked part can be zoomed into, or compared with the rest. */
export function HistogramBar({ projectId, view, isEnabled, onCompare }: HistogramBarProps) {
  const zone = usePreference(zonePreference)
  const { data, isLoadingError, error, refetch, isPlaceholderData } = useHistogram(
    projectId,
    view.selection,
    view.asOf,
    isEnabled,
  )
  const [isTable, setTable] = useState(false)
  const [hovered, setHovered] = useState<number | undefined>(undefined)
  const [marked, setMarked] = useState<{ of: Histogram; a: number; b: number } | undefined>(
    undefined,
  )
  // A mark belongs to one histogram only.
  const mark = marked && marked.of === data ? marked : undefined
  const range: TimeRange | undefined =
    data && mark ? { kind: 'between', ...brushed(data, mark.a, mark.b) } : undefined
  const zoom = (next: TimeRange) => {
    setMarked(undefined)
    view.setRange(next)
  }
  if (isLoadingError)
    return (
      <ErrorLine title="Couldn’t load the histogram" error={error} onRetry={() => void refetch()} />
    )
  return (
    <section aria-label="Over time" className="pb-2">
      <div className="flex h-6 items-center gap-2 text-sm text-text-3">
        {range ? (
          <>
            <span className="tabular truncate text-text-1">{labelRange(range, zone)}</span>
            <Button size="sm" variant="primary" autoFocus onPress={() => zoom(range)}>
              Zoom in
            </Button>
            <Button
              size="sm"
              onPress={() => {
                setMarked(undefined)
                onCompare(range)
              }}
            >
              What is different here?
            </Button>
            <Button size="sm" variant="ghost" onPress={() => setMarked(undefined)}>
              Cancel
            </Button>
          </>
        ) : (
          <span className="tabular truncate" aria-live="off">
            {data && hovered !== undefined
              ? hoverText(
                  data,
                  hovered,
                  labelRange({ kind: 'between', ...bucketTimes(data, hovered) }, zone),
                )
              : `${view.table === 'traces' ? 'Traces' : 'Observations'} over time; drag to select a range`}
          </span>
        )}
        {data?.partial && !range && (
          <span className="text-warning">only the newest are counted</span>
        )}
        <IconButton
          size="sm"
          label={isTable ? 'Show as a chart' : 'Show as a table'}
          icon={isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          onPress={() => setTable(!isTable)}
          className="ml-auto"
        />
      </div>
      {!data ? (
        <Skeleton className="h-14 w-full" />
      ) : isTable ? (
        <HistogramTable histogram={data} table={view.table} onZoom={zoom} />
      ) : (
        <HistogramChart
          histogram={data}
          table={view.table}
          isStale={isPlaceholderData}
          mark={mark}
          onHover={setHovered}
          onMark={(a, b) => setMarked({ of: data, a, b })}
        />
      )}
    </section>
  )
}

function hoverText(histogram: Histogram, index: number, times: string): string {
  const bucket = histogram.buckets[index]
  if (!bucket) return times
  const errors = bucket.errors > 0 ? `, ${formatExact(bucket.errors)} with errors` : ''
  return `${times}: ${formatExact(bucket.count)}${errors}`
}

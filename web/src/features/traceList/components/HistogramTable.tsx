import { Button as AriaButton } from 'react-aria-components'
import { formatExact } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { labelRange, type TimeRange } from '@/shared/lib/timeRange'
import { linkClass } from '@/shared/ui'
import { bucketTimes, type Histogram } from '../model/histogram'
import type { Table } from '../model/view'

type HistogramTableProps = {
  histogram: Histogram
  /** What is counted. */
  table: Table
  onZoom: (range: TimeRange) => void
}

/** The numbers of the chart. Clicking a time zooms in. */
export function HistogramTable({ histogram, table, onZoom }: HistogramTableProps) {
  const zone = usePreference(zonePreference)
  const rows = histogram.buckets
    .map((bucket, index) => ({ ...bucket, range: bucketTimes(histogram, index) }))
    .filter(({ count }) => count > 0)
  return (
    <div className="max-h-48 overflow-auto rounded-md border border-border">
      <table className="tabular w-full text-sm">
        <thead className="sticky top-0 bg-surface-1 text-left text-text-3">
          <tr>
            <th className="px-3 py-1 font-medium">Time</th>
            <th className="px-3 py-1 text-right font-medium">
              {table === 'traces' ? 'Traces' : 'Observations'}
            </th>
            <th className="px-3 py-1 text-right font-medium">With errors</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ count, errors, range }) => {
            const between: TimeRange = { kind: 'between', ...range }
            return (
              <tr key={range.from.getTime()} className="border-t border-border">
                <td className="px-3 py-0.5">
                  <AriaButton className={linkClass} onPress={() => onZoom(between)}>
                    {labelRange(between, zone)}
                  </AriaButton>
                </td>
                <td className="px-3 py-0.5 text-right">{formatExact(count)}</td>
                <td className="px-3 py-0.5 text-right">{formatExact(errors)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

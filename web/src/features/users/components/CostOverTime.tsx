import { useNavigate } from '@tanstack/react-router'
import { TimeChart } from '@/shared/charts'
import { LoadError } from '@/shared/errors'
import { bucketStarts, granularityFor, seriesOf, stepOf, useMetrics } from '@/shared/metrics'
import type { Scope } from '@/shared/scope'
import { encodeFilter } from '@/shared/lib/filter'
import { formatMoney } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { encodeRange } from '@/shared/lib/timeRange'
import { Skeleton } from '@/shared/ui'

type CostOverTimeProps = {
  projectId: string
  userId: string
  range: { from: Date; to: Date }
  environment: Scope['environment']
}

/** The cost of a user over time. */
export function CostOverTime({ projectId, userId, range, environment }: CostOverTimeProps) {
  const navigate = useNavigate()
  const zone = usePreference(zonePreference)
  const granularity = granularityFor(range.from, range.to)
  const cost = useMetrics(
    projectId,
    {
      view: 'observations',
      metrics: ['sum_totalCost'],
      filters: [{ column: 'userId', type: 'string', operator: '=', value: userId }],
      granularity,
      zone,
    },
    range,
    environment,
  )
  if (cost.isError) return <LoadError title="Couldn’t load the cost" query={cost} />
  if (!cost.data) return <Skeleton className="h-44" />
  const starts = bucketStarts(range.from, range.to, granularity, zone)
  const filter = encodeFilter([
    { type: 'stringOptions', column: 'userId', operator: 'any of', value: [userId] },
  ])
  return (
    <TimeChart
      title="Cost over time"
      starts={starts}
      step={stepOf[granularity]}
      format={formatMoney}
      series={[
        {
          label: 'Cost',
          tone: 'accent',
          kind: 'bars',
          values: seriesOf(cost.data, starts, 'sum_totalCost', 0, zone),
        },
      ]}
      onOpen={(from, to) =>
        void navigate({
          to: '/project/$projectId/traces',
          params: { projectId },
          search: { filter, dateRange: encodeRange({ kind: 'between', from, to }) },
        })
      }
    />
  )
}

import { SeriesChart } from '@/shared/charts'
import { LoadError } from '@/shared/errors'
import type { Scope } from '@/shared/scope'
import { formatMoney } from '@/shared/lib/format'
import { Skeleton } from '@/shared/ui'
import { useCostByModel } from '../api/useCostByModel'
import { costLink, sortedLink, type RowsLink } from '../model/links'

type CostByModelProps = {
  projectId: string
  range: { from: Date; to: Date }
  environment: Scope['environment']
  starts: readonly Date[]
  step: number
  /** What everything cost. */
  total: readonly (number | null)[]
  /** Opens rows of a part of the time. */
  onOpen: (link: RowsLink, from: Date, to: Date) => void
}

/** What each model cost over time. A bar opens the calls of its model; beside the bars, the traces of that time. */
export function CostByModel(props: CostByModelProps) {
  const { projectId, range, environment, starts, step, total, onOpen } = props
  const { series, failure } = useCostByModel(projectId, range, environment, total)
  if (failure) return <LoadError title="Couldn’t load the cost of models" query={failure} />
  if (!series) return <Skeleton className="h-44" />
  return (
    <SeriesChart
      title="Cost"
      kind="stacked"
      starts={starts}
      step={step}
      series={series}
      format={formatMoney}
      height={140}
      onOpen={(label, from, to) => {
        const about = series.find((each) => each.label === label)?.of
        onOpen(about ? costLink(about) : sortedLink('totalCost'), from, to)
      }}
    />
  )
}

import { useNavigate } from '@tanstack/react-router'
import { Legend, TimeChart, type Series } from '@/shared/charts'
import { LoadError } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { useEnds, useScope } from '@/shared/scope'
import { formatCount, formatDuration, formatMoney } from '@/shared/lib/format'
import { Skeleton } from '@/shared/ui'
import { useOverview, type Figure } from '../api/useOverview'
import { errorsLink, slowLink, sortedLink, tracesLink, within, type RowsLink } from '../model/links'
import { CostByModel } from './CostByModel'
import { CostLists } from './CostLists'
import { FigureTile } from './FigureTile'
import { ScoreList } from './ScoreList'

/**
 * What a team looks at in the morning: the figures of the chosen range against the previous one, each linked to its
 * rows.
 */
export function Overview({ projectId }: { projectId: string }) {
  const { can } = useProject()
  const { scope, range, asOf } = useScope()
  const ends = useEnds(projectId, range, asOf)
  const found = useOverview(projectId, ends, scope.environment)
  const navigate = useNavigate()
  if (found.failure) return <LoadError title="Couldn’t load the figures" query={found.failure} />
  if (found.isPending) return <Loading />
  const { starts, step, traces, failed, p50, p95, cost, tokens } = found
  const open = (link: RowsLink, from: Date, to: Date) =>
    void navigate({ ...within(link, from, to), params: { projectId } })
  const chart = (link: RowsLink) => ({
    starts,
    step,
    onOpen: (from: Date, to: Date) => open(link, from, to),
  })
  const tile = { projectId }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-6">
        <FigureTile {...tile} {...traces} label="Traces" format={formatCount} link={tracesLink} />
        <FigureTile
          {...tile}
          {...failed}
          label="Traces with errors"
          format={formatCount}
          link={errorsLink}
          moreIs="worse"
        />
        <FigureTile
          {...tile}
          {...p50}
          label="Median latency"
          format={formatDuration}
          link={slowLink(p50.now)}
          moreIs="worse"
        />
        <FigureTile
          {...tile}
          {...p95}
          label="Latency, p95"
          format={formatDuration}
          link={slowLink(p95.now)}
          moreIs="worse"
        />
        <FigureTile
          {...tile}
          {...cost}
          label="Cost"
          format={formatMoney}
          link={sortedLink('totalCost')}
          moreIs="worse"
        />
        <FigureTile
          {...tile}
          {...tokens}
          label="Tokens"
          format={formatCount}
          link={sortedLink('totalTokens')}
        />
      </div>
      <div className="grid min-w-0 gap-x-8 gap-y-6 lg:grid-cols-2">
        <TimeChart
          title="Traces"
          format={formatCount}
          {...chart(tracesLink)}
          {...withLegend([
            { label: 'Traces', tone: 'accent', kind: 'bars', values: traces.series },
            { label: 'With errors', tone: 'danger', kind: 'bars', values: failed.series },
            beforeOf(traces),
          ])}
        />
        <TimeChart
          title="Latency"
          format={formatDuration}
          {...chart(slowLink(undefined))}
          {...withLegend([
            { label: 'Median', tone: 'accent', values: p50.series },
            { label: 'p95', tone: 'second', values: p95.series },
            { ...beforeOf(p95), label: 'p95 before' },
          ])}
        />
        <CostByModel
          projectId={projectId}
          range={ends}
          environment={scope.environment}
          starts={starts}
          step={step}
          total={cost.series}
          onOpen={open}
        />
        <TimeChart
          title="Tokens"
          format={formatCount}
          {...chart(sortedLink('totalTokens'))}
          {...withLegend([
            { label: 'Tokens', tone: 'accent', kind: 'bars', values: tokens.series },
            beforeOf(tokens),
          ])}
        />
      </div>
      <div className="grid min-w-0 gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-3">
        <CostLists projectId={projectId} range={ends} environment={scope.environment} />
        {can('scores:read') && (
          <ScoreList projectId={projectId} range={ends} environment={scope.environment} />
        )}
      </div>
    </div>
  )
}

function beforeOf({ seriesBefore }: Figure): Series {
  return { label: 'Before', tone: 'muted', isBefore: true, values: seriesBefore }
}

/** A previous range without data is not drawn. */
function withLegend(all: Series[]) {
  const series = all.filter(
    ({ isBefore, values }) => !isBefore || values.some((value) => value !== null && value !== 0),
  )
  return { series, beside: <Legend items={series} /> }
}

function Loading() {
  return (
    <div aria-busy className="flex flex-col gap-6">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-6">
        {['traces', 'errors', 'median', 'p95', 'cost', 'tokens'].map((each) => (
          <Skeleton key={each} className="h-20" />
        ))}
      </div>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
    </div>
  )
}

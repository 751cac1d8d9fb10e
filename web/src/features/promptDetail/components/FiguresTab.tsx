import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { SeriesChart } from '@/shared/charts'
import { QueryTable, QueryView } from '@/shared/errors'
import {
  formatDuration,
  formatExact,
  formatMoney,
  formatScore,
  formatShare,
} from '@/shared/lib/format'
import { encodeRange } from '@/shared/lib/timeRange'
import { useSearchState } from '@/shared/lib/useSearchState'
import { authorName, type PromptVersionsPage } from '@/shared/prompts'
import { useEnds, useScope } from '@/shared/scope'
import { dynamicId, type Column } from '@/shared/table'
import { Callout, EmptyState, linkClass, SegmentedControl, Time, type Option } from '@/shared/ui'
import { useLabelMoves, usePromptFigures } from '../api/usePromptFigures'
import {
  changeOf,
  changeText,
  compared,
  errorRate,
  mainValue,
  pointsText,
  scoreOf,
  scoresIn,
  seriesOf,
  withBefore,
  withinYear,
  type Compared,
  type FiguresRow,
  type Measure,
} from '../model/figures'
import { moveText } from '../model/moves'
import { LabelBadges } from './LabelBadges'

type FiguresTabProps = {
  projectId: string
  name: string
  version: number
  head: PromptVersionsPage
}

const options: Option<Measure>[] = [
  { id: 'count', label: 'Calls' },
  { id: 'errors', label: 'Errors' },
  { id: 'p50', label: 'Latency' },
  { id: 'cost', label: 'Cost' },
]

const formats: Record<Measure, (value: number) => string> = {
  count: formatExact,
  errors: formatExact,
  p50: (seconds) => formatDuration(seconds * 1000),
  cost: formatMoney,
}

const titles: Record<Measure, string> = {
  count: 'Calls by version',
  errors: 'Errors by version',
  p50: 'Median latency by version',
  cost: 'Cost by version',
}

/** How the versions did in the time range of the page, and how that changed over time. */
export function FiguresTab({ projectId, name, version, head }: FiguresTabProps) {
  const { range, asOf } = useScope()
  const ends = withinYear(useEnds(projectId, range, asOf))
  const figures = usePromptFigures(projectId, name, ends)
  const moves = useLabelMoves(projectId, name)
  const [, change] = useSearchState()
  const [measure, setMeasure] = useState<Measure>('count')
  const data = figures.data
  const rows = useMemo(() => data && withBefore(data.versions), [data])
  const columns = useMemo(
    () => data && columnsOf(projectId, name, version, head, data.versions),
    [projectId, name, version, head, data],
  )
  const shownMoves = (moves.data?.moves ?? []).flatMap((move) => {
    const at = new Date(move.at ?? Number.NaN)
    return at >= ends.from && at <= ends.to ? [{ ...move, at }] : []
  })
  return (
    <QueryView query={figures} what="the figures" skeleton="h-64">
      {({ versions, series, partial }) =>
        versions.length === 0 ? (
          <EmptyState title="No observation used this prompt in this time range">
            Choose a longer one at the top, or link generations to the prompt in your application.
          </EmptyState>
        ) : (
          <div className="flex min-w-0 flex-col gap-5">
            {ends.isCut && (
              <p className="text-sm text-text-3">
                Figures go back one year: these are of the last one of the time range.
              </p>
            )}
            {partial && (
              <Callout tone="warning">
                There was too much to count in time: these figures are incomplete. Choose a shorter
                time range.
              </Callout>
            )}
            <div className="flex min-w-0 flex-col gap-2">
              <SegmentedControl
                label="What the chart shows"
                options={options}
                value={measure}
                onChange={setMeasure}
                className="self-start"
              />
              <SeriesChart
                title={titles[measure]}
                kind={measure === 'p50' ? 'lines' : 'stacked'}
                starts={Array.from(
                  { length: series.buckets },
                  (_, at) => new Date(new Date(series.start).getTime() + at * series.step),
                )}
                step={series.step}
                series={seriesOf(series, measure)}
                format={formats[measure]}
                marks={shownMoves
                  .toReversed()
                  .map((move) => ({ at: move.at, label: moveText(move) }))}
                onSelect={(from, to) =>
                  change({ dateRange: encodeRange({ kind: 'between', from, to }) })
                }
              />
              {shownMoves.length > 0 && (
                <ul aria-label="Labels that moved" className="flex flex-col text-sm text-text-2">
                  {shownMoves.slice(0, 8).map((move) => (
                    <li key={`${move.label} ${move.at.getTime()} ${move.to}`}>
                      {moveText(move)} · <Time at={move.at} />
                      {move.by && <span className="text-text-3"> · {authorName(move.by)}</span>}
                    </li>
                  ))}
                  {shownMoves.length > 8 && (
                    <li className="text-text-3">and {shownMoves.length - 8} earlier ones</li>
                  )}
                </ul>
              )}
            </div>
            <QueryTable
              label="Figures by version"
              columns={columns ?? []}
              rows={rows}
              rowId={({ figures: { version: each } }) => String(each)}
              isStale={figures.isPlaceholderData}
              empty={null}
            />
            <p className="text-sm text-text-3">
              Changes are against the version before that was used in this time range.
            </p>
          </div>
        )
      }
    </QueryView>
  )
}

function columnsOf(
  projectId: string,
  name: string,
  version: number,
  head: PromptVersionsPage,
  versions: readonly FiguresRow['figures'][],
): Column<FiguresRow>[] {
  const most = Math.max(1, ...versions.map(({ count }) => count))
  const labelsOf = (each: number) =>
    Object.keys(head.labels).filter((label) => head.labels[label] === each)
  const number = (
    id: string,
    header: string,
    value: (figures: FiguresRow['figures']) => number | null,
    format: (value: number) => string,
    more?: Partial<Column<FiguresRow>> & { better?: 'less'; isShare?: boolean },
  ): Column<FiguresRow> => {
    const { better, isShare, ...column } = more ?? {}
    return {
      id,
      header,
      width: 136,
      align: 'end',
      sortable: true,
      value: (row) => value(row.figures),
      cell: (row) => (
        <Figure value={compared(row, value)} format={format} better={better} isShare={isShare} />
      ),
      ...column,
    }
  }
  const less = { better: 'less' } as const
  return [
    {
      id: 'version',
      header: 'Version',
      width: 200,
      required: true,
      sortable: true,
      value: ({ figures }) => figures.version,
      cell: ({ figures }) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Link
            to="/project/$projectId/prompts/$promptName"
            params={{ projectId, promptName: name }}
            search={(before) => ({ ...before, version: String(figures.version), label: undefined })}
            aria-current={figures.version === version ? 'true' : undefined}
            className={`${linkClass} tabular shrink-0 aria-[current]:font-semibold`}
          >
            v{figures.version}
          </Link>
          <LabelBadges labels={labelsOf(figures.version)} />
        </span>
      ),
    },
    {
      id: 'count',
      header: 'Calls',
      width: 150,
      align: 'end',
      sortable: true,
      value: ({ figures }) => figures.count,
      cell: ({ figures }) => (
        <span className="tabular flex items-center justify-end gap-2">
          <span aria-hidden className="h-2 w-16 overflow-hidden rounded-xs bg-surface-2">
            <span
              className="block h-full bg-accent"
              style={{ width: `${(figures.count / most) * 100}%` }}
            />
          </span>
          {formatExact(figures.count)}
        </span>
      ),
    },
    number('errors', 'Errors', errorRate, formatShare, { ...less, isShare: true }),
    number('p50', 'Latency p50', ({ latency }) => latency.p50, formats.p50, less),
    number('p95', 'Latency p95', ({ latency }) => latency.p95, formats.p50, less),
    number('mean', 'Mean cost', ({ cost }) => cost?.mean ?? null, formatMoney, less),
    number('sum', 'Cost', ({ cost }) => cost?.sum ?? null, formatMoney, {
      cell: ({ figures }) => (
        <span className="tabular">{figures.cost?.sum ? formatMoney(figures.cost.sum) : '–'}</span>
      ),
      width: 100,
    }),
    number('input', 'Input tokens', ({ tokens }) => tokens.input, formatExact),
    number('output', 'Output tokens', ({ tokens }) => tokens.output, formatExact),
    ...scoresIn(versions).map((score): Column<FiguresRow> => ({
      id: dynamicId('scores', JSON.stringify(score)),
      header: score.name,
      group: 'Scores',
      width: 150,
      align: 'end',
      cell: (row) => {
        const now = scoreOf(row.figures, score)
        if (!now) return <span className="text-text-3">–</span>
        if (now.mean === null)
          return <span title={`${formatExact(now.count)} scores`}>{mainValue(now)}</span>
        const before = scoreOf(row.before, score)
        return (
          <span title={`The mean of ${formatExact(now.count)} scores`}>
            <Figure
              value={{ now: now.mean, before: before?.mean ?? null }}
              format={(mean) => formatScore(mean) ?? '–'}
            />
          </span>
        )
      },
    })),
    {
      id: 'lastAt',
      header: 'Last used',
      width: 104,
      sortable: true,
      value: ({ figures }) => figures.lastAt,
      cell: ({ figures }) => <Time at={figures.lastAt} />,
    },
  ]
}

/** A value, and its change against the version before; coloured only where less is better. */
function Figure({
  value,
  format,
  better,
  isShare,
}: {
  value: Compared
  format: (value: number) => string
  better?: 'less'
  isShare?: boolean
}) {
  const text = isShare ? pointsText(value) : changeText(changeOf(value))
  if (value.now === null) return <span className="text-text-3">–</span>
  return (
    <span className="tabular">
      {text !== '' && (
        <span
          className={
            better === undefined
              ? 'mr-1.5 text-sm text-text-3'
              : value.now > (value.before ?? 0)
                ? 'mr-1.5 text-sm text-danger'
                : 'mr-1.5 text-sm text-success'
          }
        >
          {text}
        </span>
      )}
      {format(value.now)}
    </span>
  )
}

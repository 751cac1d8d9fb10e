import { Link } from '@tanstack/react-router'
import { messageOf } from '@/shared/api'
import { LoadError } from '@/shared/errors'
import { Button, Callout, linkClass, Skeleton, Spinner } from '@/shared/ui'
import type { Run } from '../api/useRuns'
import { textOf } from '../model/gather'
import type { DatasetRow } from '../model/rows'
import { letterOf, type Pane } from '../model/state'
import { valueOf } from '../model/variables'
import { figuresOf } from './figures'

type RowsTableProps = {
  projectId: string
  dataset: string
  query: { isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  rows: readonly DatasetRow[] | undefined
  names: readonly string[]
  panes: readonly Pane[]
  runs: readonly Run[]
  onStop: (runId: string) => void
}

/** The items of a dataset with the answers of each window. */
export function RowsTable(props: RowsTableProps) {
  const { dataset, query, rows, names, panes } = props
  if (query.isError) return <LoadError title="Couldn’t load the items" query={query} />
  if (!rows) return <Skeleton className="h-40 w-full" />
  if (rows.length === 0)
    return <Callout tone="neutral">The dataset {dataset} has no items yet.</Callout>
  return (
    <div
      role="region"
      aria-label={`First items of ${dataset}`}
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-w-0 overflow-x-auto rounded-lg border border-border"
    >
      <table className="w-full min-w-2xl table-fixed border-collapse text-left">
        <thead className="bg-surface-2 text-sm text-text-3">
          <tr>
            <th className="w-64 px-3 py-1.5 font-medium">Item</th>
            <th className="w-48 px-3 py-1.5 font-medium">Expected</th>
            {panes.map((pane, index) => (
              <th key={pane.id} className="w-72 px-3 py-1.5 font-medium">
                {letterOf(index)} <span className="font-mono font-normal">{pane.model}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-t border-border align-top">
              <td className="px-3 py-2">
                {row.problem === undefined ? (
                  <dl className="flex flex-col gap-1 text-sm">
                    {names.map((name) => (
                      <div key={name} className="min-w-0">
                        <dt className="text-text-3">{name}</dt>
                        <dd dir="auto" className="line-clamp-4 break-words whitespace-pre-wrap">
                          {valueOf(row.values, name).slice(0, 1000)}
                        </dd>
                      </div>
                    ))}
                    {names.length === 0 && <span className="font-mono">{row.id}</span>}
                  </dl>
                ) : (
                  <span className="text-sm text-text-3">{row.problem}</span>
                )}
              </td>
              <td dir="auto" className="px-3 py-2 text-sm break-words">
                <span className="line-clamp-6 whitespace-pre-wrap">
                  {row.expected.slice(0, 2000)}
                </span>
              </td>
              {panes.map((pane) => (
                <td key={pane.id} className="px-3 py-2">
                  <Answers {...props} row={row} pane={pane} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Answers({
  projectId,
  runs,
  row,
  pane,
  onStop,
}: RowsTableProps & { row: DatasetRow; pane: Pane }) {
  const own = runs.filter(({ paneId, rowId }) => paneId === pane.id && rowId === row.id)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {own.map((run) => (
        <div key={run.id} className="flex min-w-0 flex-col gap-1">
          <p dir="auto" className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
            {textOf(run.answer)}
          </p>
          {run.status === 'failed' && <p className="text-sm text-danger">{messageOf(run.error)}</p>}
          <span className="flex flex-wrap items-center gap-x-2 text-sm text-text-3">
            {run.status === 'running' && (
              <>
                {run.isWaiting ? 'Waits' : <Spinner />}
                <Button size="sm" variant="ghost" onPress={() => onStop(run.id)}>
                  Stop
                </Button>
              </>
            )}
            {run.status === 'cancelled' && 'Stopped'}
            {figuresOf(run.answer)}
            {run.answer.trace && (
              <Link
                to="/project/$projectId/traces/$traceId"
                params={{ projectId, traceId: run.answer.trace.traceId }}
                search={{ observation: run.answer.trace.observationId }}
                className={linkClass}
              >
                Trace
              </Link>
            )}
          </span>
        </div>
      ))}
    </div>
  )
}

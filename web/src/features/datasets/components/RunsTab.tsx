import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useMemo } from 'react'
import { pagedTableProps } from '@/shared/errors'
import { countColumn, DataTable, timeColumn, useTableState, type Column } from '@/shared/table'
import { EmptyState } from '@/shared/ui'
import { useRuns } from '../api/useRuns'

type Run = NonNullable<ReturnType<typeof useRuns>['data']>['pages'][number]['data'][number]

/** The runs of an application on the items of a dataset. */
export function RunsTab({ projectId, datasetId }: { projectId: string; datasetId: string }) {
  const [state, setState] = useTableState()
  const list = useRuns(projectId, datasetId)
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.data), [pages])
  const columns: Column<Run>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 260,
      grows: true,
      required: true,
      cell: (run) => (
        <Link
          to="/project/$projectId/experiments/results"
          params={{ projectId }}
          search={{ baseline: run.id }}
          className="min-w-0 truncate hover:underline"
        >
          <bdi>{run.name ?? run.id}</bdi>
        </Link>
      ),
    },
    countColumn<Run>('items', 'Items', (run) => run.itemCount),
    timeColumn<Run>('started', 'Started', (run) => run.startTime),
    timeColumn<Run>('ended', 'Last result', (run) => run.endTime),
    {
      id: 'description',
      header: 'Description',
      width: 260,
      cell: (run) => <bdi>{run.description}</bdi>,
    },
  ]
  return (
    <DataTable<Run>
      label="Runs"
      isMain
      columns={columns}
      rows={rows}
      rowId={(run) => run.id}
      resetKey={datasetId}
      state={state}
      onStateChange={setState}
      {...pagedTableProps(list, 'runs')}
      empty={
        <EmptyState icon={<FlaskConical aria-hidden />} title="No runs yet">
          Run your application on the items with an SDK, or a prompt with “Run experiment”: every
          run is an experiment, and its results are compared with those of others.
        </EmptyState>
      }
    />
  )
}

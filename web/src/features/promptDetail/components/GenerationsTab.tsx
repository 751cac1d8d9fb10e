import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { pagedTableProps } from '@/shared/errors'
import { encodeFilter } from '@/shared/lib/filter'
import { useHref } from '@/shared/lib/useHref'
import { useScope } from '@/shared/scope'
import {
  countColumn,
  DataTable,
  durationColumn,
  listHeight,
  moneyColumn,
  timeColumn,
  useTableState,
  type Column,
} from '@/shared/table'
import { EmptyState, LevelBadge, linkClass } from '@/shared/ui'
import { ofVersion, useGenerations, type GenerationRow } from '../api/useGenerations'

const columns: Column<GenerationRow>[] = [
  timeColumn('startTime', 'Start', (row) => row.startTime),
  { id: 'name', header: 'Name', width: 160, required: true, cell: (row) => row.name || row.id },
  { id: 'level', header: 'Level', width: 96, cell: (row) => <LevelBadge level={row.level} /> },
  { id: 'input', header: 'Input', width: 200, grows: true, cell: (row) => row.inputPreview },
  { id: 'output', header: 'Output', width: 200, grows: true, cell: (row) => row.outputPreview },
  durationColumn('latency', 'Latency', (row) => row.latency),
  countColumn('totalTokens', 'Tokens', (row) => row.usage.total),
  moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { width: 96 }),
]

type GenerationsTabProps = { projectId: string; name: string; version: number }

/** The observations that used a version. */
export function GenerationsTab({ projectId, name, version }: GenerationsTabProps) {
  const { scope, resetKey } = useScope()
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const href = useHref()
  const pageOf = (row: GenerationRow) =>
    linkOptions({
      to: '/project/$projectId/traces/$traceId',
      params: { projectId, traceId: row.traceId },
      search: { observation: row.id },
    })
  const found = useGenerations(projectId, name, version, scope)
  return (
    <DataTable
      label="Generations"
      columns={columns}
      rows={found.data?.pages.flatMap(({ rows }) => rows)}
      rowId={(row) => row.id}
      resetKey={`${resetKey} ${version}`}
      state={state}
      onStateChange={setState}
      onOpen={(row) => void navigate(pageOf(row))}
      hrefOf={(row) => href(pageOf(row))}
      {...pagedTableProps(found, 'the generations')}
      maxHeight={listHeight}
      toolbar={
        <Link
          to="/project/$projectId/observations"
          params={{ projectId }}
          search={{ filter: encodeFilter(ofVersion(name, version)) }}
          className={linkClass}
        >
          Filter and search these observations
        </Link>
      }
      empty={
        <EmptyState title={`No observation used version ${version} in this time range`}>
          Observations belong to a version if the SDK was given the prompt: the docs on linking
          traces say how.
        </EmptyState>
      }
    />
  )
}

import { linkOptions, useNavigate } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { pagedTableProps } from '@/shared/errors'
import {
  entitiesOrder,
  scoreColumns,
  showsScores,
  useScoreNames,
  type EntitySelection,
} from '@/shared/entityLists'
import { useHref } from '@/shared/lib/useHref'
import { DataTable, useTableState, type CellValue } from '@/shared/table'
import { useSessions, type SessionRow } from './api/useSessions'
import { sessionColumns } from './components/columns'

type SessionsTableProps = {
  projectId: string
  selection: Partial<EntitySelection>
  /** Identifies the query: unchanged as long as the same sessions are requested. */
  resetKey?: string
  empty: ReactNode
  /** Filters by a value of a cell, where there is a query. */
  onFilter?: (value: CellValue, isExcluded: boolean) => void
  toolbar?: ReactNode
  /** How many there are, where that is known. */
  count?: ReactNode
  maxHeight?: number
}

/** Sessions with their totals, in the time range of the URL or of one user. */
export function SessionsTable(props: SessionsTableProps) {
  const { projectId, selection } = props
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const href = useHref()
  const pageOf = (row: SessionRow) =>
    linkOptions({
      to: '/project/$projectId/sessions/$sessionId',
      params: { projectId, sessionId: row.id },
    })
  const sessions = useSessions(projectId, {
    selection,
    order: entitiesOrder(state),
    scores: showsScores(state),
  })
  const [names, findNames] = useScoreNames(state)
  const rows = sessions.data?.pages.flatMap((page) => page.rows)
  const columns = useMemo(() => sessionColumns(projectId), [projectId])
  return (
    <DataTable
      label="Sessions"
      isMain
      columns={[...columns, ...scoreColumns(names)]}
      onColumnMenu={findNames}
      rows={rows}
      rowId={(row) => row.id}
      resetKey={props.resetKey}
      state={state}
      onStateChange={setState}
      onOpen={(row) => void navigate(pageOf(row))}
      hrefOf={(row) => href(pageOf(row))}
      onFilter={props.onFilter}
      {...pagedTableProps(sessions, 'sessions')}
      empty={props.empty}
      toolbar={props.toolbar}
      count={props.count}
      maxHeight={props.maxHeight}
    />
  )
}

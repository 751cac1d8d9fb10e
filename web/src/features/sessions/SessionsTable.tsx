import { useNavigate } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { pagedTableProps } from '@/shared/errors'
import { entitiesOrder } from '@/shared/entityLists'
import type { Scope } from '@/shared/scope'
import { DataTable, useTableState } from '@/shared/table'
import { useSessions } from './api/useSessions'
import { sessionColumns } from './components/columns'

type SessionsTableProps = {
  projectId: string
  scope: Scope
  search?: string
  /** Identifies the query: unchanged as long as the same sessions are requested. */
  resetKey?: string
  /** Only the sessions of this user. */
  userId?: string
  empty: ReactNode
  toolbar?: ReactNode
  maxHeight?: number
}

/** Sessions with their totals, in the time range of the URL or of one user. */
export function SessionsTable(props: SessionsTableProps) {
  const { projectId, scope, search, userId } = props
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const sessions = useSessions(projectId, { scope, search, order: entitiesOrder(state), userId })
  const rows = sessions.data?.pages.flatMap((page) => page.rows)
  const columns = useMemo(() => sessionColumns(projectId), [projectId])
  return (
    <DataTable
      label="Sessions"
      isMain
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      resetKey={props.resetKey}
      state={state}
      onStateChange={setState}
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/sessions/$sessionId',
          params: { projectId, sessionId: row.id },
        })
      }
      {...pagedTableProps(sessions, 'sessions')}
      empty={props.empty}
      toolbar={props.toolbar}
      maxHeight={props.maxHeight}
    />
  )
}

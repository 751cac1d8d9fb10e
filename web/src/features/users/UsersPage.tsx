import { linkOptions, useNavigate } from '@tanstack/react-router'
import { RefreshCw, Users } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { pagedTableProps } from '@/shared/errors'
import {
  EntityCount,
  EntityQueryBar,
  NoEntities,
  entitiesOrder,
  scoreColumns,
  showsScores,
  useEntityQuery,
  useScoreNames,
} from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { useHref } from '@/shared/lib/useHref'
import { DataTable, useTableState } from '@/shared/table'
import { IconButton } from '@/shared/ui'
import { useUsers, type UserRow } from './api/useUsers'
import { userColumns } from './components/columns'

/** The users of the project's applications. */
export function UsersPage() {
  const { project } = useProject()
  const list = useEntityQuery('users')
  return (
    <GuardedPage
      frame="fill"
      title="Users"
      actions={
        <IconButton label="Refresh" icon={<RefreshCw aria-hidden />} onPress={list.refresh} />
      }
      permission="traces:read"
      doing="see users"
    >
      <UsersTable projectId={project.id} list={list} />
    </GuardedPage>
  )
}

type UsersTableProps = { projectId: string; list: ReturnType<typeof useEntityQuery> }

function UsersTable({ projectId, list }: UsersTableProps) {
  const { query, unknown, setQuery, selection, resetKey } = list
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const href = useHref()
  const pageOf = (row: UserRow) =>
    linkOptions({ to: '/project/$projectId/users/$userId', params: { projectId, userId: row.id } })
  const users = useUsers(projectId, selection, entitiesOrder(state), showsScores(state))
  const [names, findNames] = useScoreNames(state)
  const rows = users.data?.pages.flatMap((page) => page.rows)
  return (
    <DataTable
      label="Users"
      isMain
      columns={[...userColumns, ...scoreColumns(names)]}
      onColumnMenu={findNames}
      rows={rows}
      rowId={(row) => row.id}
      resetKey={resetKey}
      state={state}
      onStateChange={setState}
      onOpen={(row) => void navigate(pageOf(row))}
      hrefOf={(row) => href(pageOf(row))}
      onFilter={list.filterBy}
      {...pagedTableProps(users, 'users')}
      count={<EntityCount table="users" selection={selection} />}
      toolbar={
        <>
          <EntityQueryBar table="users" query={query} unknown={unknown} onChange={setQuery} />
          <ExportMenu table="users" selection={selection} />
        </>
      }
      empty={
        <NoEntities icon={<Users aria-hidden />} what="users" query={query} onChange={setQuery}>
          Users are taken from your traces. Applications set them as{' '}
          <code className="font-mono text-sm">user.id</code>, or{' '}
          <code className="font-mono text-sm">user_id</code> in the SDKs.
        </NoEntities>
      }
    />
  )
}

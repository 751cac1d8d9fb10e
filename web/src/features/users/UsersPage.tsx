import { useNavigate } from '@tanstack/react-router'
import { RefreshCw, Users } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { pagedTableProps } from '@/shared/errors'
import { NoEntities, entitiesFilter, entitiesOrder, useSearchText } from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { useScope } from '@/shared/scope'
import { DataTable, useTableState } from '@/shared/table'
import { IconButton, SearchField } from '@/shared/ui'
import { useUsers } from './api/useUsers'
import { userColumns } from './components/columns'

/** The users of the project's applications. */
export function UsersPage() {
  const { project } = useProject()
  const { scope, resetKey, refresh } = useScope()
  const [search, setSearch] = useSearchText()
  return (
    <GuardedPage
      frame="fill"
      title="Users"
      actions={<IconButton label="Refresh" icon={<RefreshCw aria-hidden />} onPress={refresh} />}
      permission="traces:read"
      doing="see users"
    >
      <UsersTable
        projectId={project.id}
        scope={scope}
        search={search}
        resetKey={resetKey + search}
        onSearch={setSearch}
      />
    </GuardedPage>
  )
}

type UsersTableProps = {
  projectId: string
  scope: ReturnType<typeof useScope>['scope']
  search: string
  /** Identifies the query: unchanged as long as the same users are requested. */
  resetKey: string
  onSearch: (text: string) => void
}

function UsersTable({ projectId, scope, search, resetKey, onSearch }: UsersTableProps) {
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const users = useUsers(projectId, scope, search, entitiesOrder(state))
  const rows = users.data?.pages.flatMap((page) => page.rows)
  return (
    <DataTable
      label="Users"
      isMain
      columns={userColumns}
      rows={rows}
      rowId={(row) => row.id}
      resetKey={resetKey}
      state={state}
      onStateChange={setState}
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/users/$userId',
          params: { projectId, userId: row.id },
        })
      }
      {...pagedTableProps(users, 'users')}
      toolbar={
        <>
          <SearchField
            label="Find users"
            placeholder="Part of a user id"
            value={search}
            onChange={onSearch}
          />
          <ExportMenu table="users" selection={{ ...scope, ...entitiesFilter('userId', search) }} />
        </>
      }
      empty={
        <NoEntities icon={<Users aria-hidden />} what="users" search={search} onSearch={onSearch}>
          Users are taken from your traces. Applications set them as{' '}
          <code className="font-mono text-sm">user.id</code>, or{' '}
          <code className="font-mono text-sm">user_id</code> in the SDKs.
        </NoEntities>
      }
    />
  )
}

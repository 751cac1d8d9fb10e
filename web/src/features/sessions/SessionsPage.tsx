import { MessagesSquare, RefreshCw } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { NoEntities, entitiesFilter, useSearchText } from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { useScope } from '@/shared/scope'
import { IconButton, SearchField } from '@/shared/ui'
import { SessionsTable } from './SessionsTable'

/** The sessions of a project. */
export function SessionsPage() {
  const { project } = useProject()
  const { scope, resetKey, refresh } = useScope()
  const [search, setSearch] = useSearchText()
  return (
    <GuardedPage
      frame="fill"
      title="Sessions"
      actions={<IconButton label="Refresh" icon={<RefreshCw aria-hidden />} onPress={refresh} />}
      permission="traces:read"
      doing="see sessions"
    >
      <SessionsTable
        projectId={project.id}
        scope={scope}
        search={search}
        resetKey={resetKey + search}
        toolbar={
          <>
            <SearchField
              label="Find sessions"
              placeholder="Part of a session id"
              value={search}
              onChange={setSearch}
            />
            <ExportMenu
              table="sessions"
              selection={{ ...scope, ...entitiesFilter('sessionId', search) }}
            />
          </>
        }
        empty={
          <NoEntities
            icon={<MessagesSquare aria-hidden />}
            what="sessions"
            search={search}
            onSearch={setSearch}
          >
            Traces that share a session id, such as the turns of a chat, are listed here as one.
            Applications set it as <code className="font-mono text-sm">session.id</code>, or{' '}
            <code className="font-mono text-sm">session_id</code> in the SDKs.
          </NoEntities>
        }
      />
    </GuardedPage>
  )
}

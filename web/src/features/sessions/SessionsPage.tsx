import { MessagesSquare, RefreshCw } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { EntityCount, EntityQueryBar, NoEntities, useEntityQuery } from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { IconButton } from '@/shared/ui'
import { SessionsTable } from './SessionsTable'

/** The sessions of a project. */
export function SessionsPage() {
  const { project } = useProject()
  const { query, unknown, setQuery, filterBy, selection, resetKey, refresh } =
    useEntityQuery('sessions')
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
        selection={selection}
        resetKey={resetKey}
        onFilter={filterBy}
        count={<EntityCount table="sessions" selection={selection} />}
        toolbar={
          <>
            <EntityQueryBar table="sessions" query={query} unknown={unknown} onChange={setQuery} />
            <ExportMenu table="sessions" selection={selection} />
          </>
        }
        empty={
          <NoEntities
            icon={<MessagesSquare aria-hidden />}
            what="sessions"
            query={query}
            onChange={setQuery}
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

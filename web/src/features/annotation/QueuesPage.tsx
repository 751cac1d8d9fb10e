import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useRefresh } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { GuardedPage } from '@/shared/roles'
import { Button, IconButton } from '@/shared/ui'
import { QueueDialog } from './components/QueueDialog'
import { QueueTable } from './components/QueueTable'
import type { QueueDetails } from './model/queue'

/** The annotation queues of the project; annotators see those that they are assigned to. */
export function QueuesPage() {
  const { project, can } = useProject()
  const refresh = useRefresh(project.id)
  const [edited, setEdited] = useState<'new' | QueueDetails>()
  return (
    <GuardedPage
      frame="fill"
      title="Annotation"
      permission={can('scores:read') ? 'scores:read' : 'queues:annotate'}
      doing="see the annotation queues"
      actions={
        <>
          <IconButton
            label="Refresh"
            icon={<RefreshCw aria-hidden />}
            onPress={() => void refresh('queues')}
          />
          {can('evaluation:write') && (
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setEdited('new')}>
              New queue
            </Button>
          )}
        </>
      }
    >
      <QueueTable
        projectId={project.id}
        onCreate={() => setEdited('new')}
        onEdit={(queue) => setEdited(queue)}
      />
      <QueueDialog projectId={project.id} edited={edited} onClose={() => setEdited(undefined)} />
    </GuardedPage>
  )
}

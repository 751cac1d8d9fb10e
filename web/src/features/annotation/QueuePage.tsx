import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil, Play, Plus, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { GuardedPage } from '@/shared/roles'
import { Button, buttonClass, EmptyState, linkClass, RowActions, Skeleton } from '@/shared/ui'
import { useQueue } from './api/useQueues'
import { AddItemsDialog } from './components/AddItemsDialog'
import { DeleteQueueDialog } from './components/DeleteQueueDialog'
import { ItemTable } from './components/ItemTable'
import { PeopleDialog } from './components/PeopleDialog'
import { QueueDialog } from './components/QueueDialog'
import type { QueueDetails } from './model/queue'

/** One annotation queue: its items, and what can be done with it. */
export function QueuePage({ queueId }: { queueId: string }) {
  const { project, can } = useProject()
  const queue = useQueue(project.id, queueId)
  const [isAdding, setAdding] = useState(false)
  const { data } = queue
  const isGone = queue.error instanceof ApiError && [403, 404].includes(queue.error.status)
  return (
    <GuardedPage
      frame="fill"
      title={data?.name ?? 'Annotation queue'}
      description={
        <span className="flex min-w-0 flex-col gap-1">
          <Link
            to="/project/$projectId/annotation-queues"
            params={{ projectId: project.id }}
            className={linkClass}
          >
            Annotation
          </Link>
          {data && data.description !== null && <bdi>{data.description}</bdi>}
        </span>
      }
      permission={can('scores:read') ? 'scores:read' : 'queues:annotate'}
      doing="see the annotation queues"
      actions={
        data && <Actions projectId={project.id} queue={data} onAdd={() => setAdding(true)} />
      }
    >
      {data ? (
        <ItemTable projectId={project.id} queueId={queueId} onAdd={() => setAdding(true)} />
      ) : isGone ? (
        <EmptyState title="There is no such queue">
          It may have been deleted, be in another project, or not be assigned to you.
        </EmptyState>
      ) : queue.isError ? (
        <LoadError title="Couldn’t load the queue" query={queue} />
      ) : (
        <Skeleton className="h-64" />
      )}
      <AddItemsDialog
        projectId={project.id}
        queueId={queueId}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
      />
    </GuardedPage>
  )
}

type ActionsProps = { projectId: string; queue: QueueDetails; onAdd: () => void }

function Actions({ projectId, queue, onAdd }: ActionsProps) {
  const { can } = useProject()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'people' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <>
      {can('evaluation:write') && (
        <Button icon={<Plus aria-hidden />} onPress={onAdd}>
          Add items
        </Button>
      )}
      {can('members:read') && (
        <Button icon={<Users aria-hidden />} onPress={() => setOpen('people')}>
          People
        </Button>
      )}
      {can('evaluation:write') && (
        <RowActions
          label="Actions for the queue"
          actions={[
            {
              id: 'edit',
              label: 'Edit',
              icon: <Pencil aria-hidden />,
              onAction: () => setOpen('edit'),
            },
            {
              id: 'delete',
              label: 'Delete',
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              startsGroup: true,
              onAction: () => setOpen('delete'),
            },
          ]}
        />
      )}
      {can('queues:annotate') && (
        <Link
          to="/project/$projectId/annotation-queues/$queueId/items"
          params={{ projectId, queueId: queue.id }}
          className={buttonClass('primary', 'md')}
        >
          <Play aria-hidden />
          Review
        </Link>
      )}
      <QueueDialog
        projectId={projectId}
        edited={open === 'edit' ? queue : undefined}
        onClose={close}
      />
      <PeopleDialog
        projectId={projectId}
        queueId={queue.id}
        isOpen={open === 'people'}
        onClose={close}
      />
      <DeleteQueueDialog
        projectId={projectId}
        queue={open === 'delete' ? queue : undefined}
        onClose={close}
        // The page is left: it would ask for what is no more.
        onDeleted={() =>
          navigate({ to: '/project/$projectId/annotation-queues', params: { projectId } })
        }
      />
    </>
  )
}

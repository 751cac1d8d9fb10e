import { Link, useNavigate } from '@tanstack/react-router'
import { ClipboardCheck, Pencil, Play, SquareArrowOutUpRight, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useAccess } from '@/shared/currentUser'
import { pagedTableProps } from '@/shared/errors'
import { useSearchState } from '@/shared/lib/useSearchState'
import { useScoreConfigs } from '@/shared/scoring'
import {
  actionsColumn,
  countColumn,
  DataTable,
  timeColumn,
  useTableState,
  type Column,
} from '@/shared/table'
import {
  Badge,
  Button,
  EmptyState,
  linkClass,
  RowActions,
  SearchField,
  type MenuAction,
} from '@/shared/ui'
import { useQueueHeads } from '../api/useQueues'
import type { QueueHead } from '../model/queue'
import { DeleteQueueDialog } from './DeleteQueueDialog'
import { ProgressBar } from './ProgressBar'

type QueueTableProps = {
  projectId: string
  onCreate: () => void
  onEdit: (queue: QueueHead) => void
}

/** The queues with how far they are, and what can be done with them. */
export function QueueTable({ projectId, onCreate, onEdit }: QueueTableProps) {
  const { can } = useAccess()
  const navigate = useNavigate()
  const [{ search }, change] = useSearchState()
  const [state, setState] = useTableState()
  const wanted = search?.trim() === '' ? undefined : search?.trim()
  const list = useQueueHeads(projectId, wanted)
  const configs = useScoreConfigs(projectId)
  const [deleting, setDeleting] = useState<QueueHead>()
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.queues), [pages])
  const nameOf = (id: string) => configs.data?.find((config) => config.id === id)?.name
  const open = (to: 'items' | 'review', queueId: string) =>
    void navigate({
      to:
        to === 'review'
          ? '/project/$projectId/annotation-queues/$queueId/items'
          : '/project/$projectId/annotation-queues/$queueId',
      params: { projectId, queueId },
    })
  const actionsOf = (queue: QueueHead): MenuAction[] => {
    const actions: (MenuAction | false)[] = [
      can('queues:annotate') && {
        id: 'review',
        label: 'Review',
        icon: <Play aria-hidden />,
        onAction: () => open('review', queue.id),
      },
      {
        id: 'items',
        label: 'Show the items',
        icon: <SquareArrowOutUpRight aria-hidden />,
        onAction: () => open('items', queue.id),
      },
      can('evaluation:write') && {
        id: 'edit',
        label: 'Edit',
        icon: <Pencil aria-hidden />,
        onAction: () => onEdit(queue),
      },
      can('evaluation:write') && {
        id: 'delete',
        label: 'Delete',
        icon: <Trash2 aria-hidden />,
        isDanger: true,
        startsGroup: true,
        onAction: () => setDeleting(queue),
      },
    ]
    return actions.filter((action) => action !== false)
  }
  const columns: Column<QueueHead>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 220,
      grows: true,
      required: true,
      cell: (queue) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to="/project/$projectId/annotation-queues/$queueId"
            params={{ projectId, queueId: queue.id }}
            className="min-w-0 truncate hover:underline"
          >
            <bdi>{queue.name}</bdi>
          </Link>
          {queue.isMine && can('scores:read') && <Badge>Yours</Badge>}
        </span>
      ),
    },
    ...(can('queues:annotate')
      ? [
          {
            id: 'review',
            header: 'Review',
            width: 90,
            cell: (queue: QueueHead) =>
              queue.pending > 0 ? (
                <Link
                  to="/project/$projectId/annotation-queues/$queueId/items"
                  params={{ projectId, queueId: queue.id }}
                  className={linkClass}
                  aria-label={`Review ${queue.name.slice(0, 100)}`}
                >
                  Review
                </Link>
              ) : (
                <span className="text-text-3">{queue.completed > 0 ? 'Done' : 'Empty'}</span>
              ),
          },
        ]
      : []),
    {
      id: 'progress',
      header: 'Completed',
      width: 160,
      cell: (queue) => <ProgressBar {...queue} />,
    },
    countColumn<QueueHead>('pending', 'Pending', (queue) => queue.pending),
    {
      id: 'configs',
      header: 'What is scored',
      width: 200,
      cell: (queue) => <bdi>{queue.scoreConfigIds.map((id) => nameOf(id) ?? '…').join(', ')}</bdi>,
    },
    {
      id: 'description',
      header: 'Instructions',
      width: 220,
      cell: (queue) => <bdi>{queue.description}</bdi>,
    },
    countColumn<QueueHead>('people', 'People', (queue) => queue.people),
    timeColumn<QueueHead>('created', 'Created', (queue) => queue.createdAt),
    actionsColumn((queue) => (
      <RowActions label={`Actions for ${queue.name}`} actions={actionsOf(queue)} />
    )),
  ]
  return (
    <>
      <DataTable<QueueHead>
        label="Annotation queues"
        isMain
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={wanted ?? ''}
        state={state}
        onStateChange={setState}
        onOpen={(queue) => open('items', queue.id)}
        {...pagedTableProps(list, 'queues')}
        toolbar={
          <SearchField
            label="Search queues"
            placeholder="Search names and instructions"
            value={search ?? ''}
            onChange={(text) => change({ search: text === '' ? undefined : text })}
          />
        }
        empty={
          wanted !== undefined ? (
            <EmptyState icon={<ClipboardCheck aria-hidden />} title="No queue matches">
              No name or instructions contain “{wanted}”.
            </EmptyState>
          ) : !can('scores:read') ? (
            <EmptyState icon={<ClipboardCheck aria-hidden />} title="Nothing to review yet">
              Queues appear here once an administrator assigns you to them.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<ClipboardCheck aria-hidden />}
              title="No annotation queues yet"
              action={
                can('evaluation:write') && (
                  <Button variant="primary" onPress={onCreate}>
                    Create a queue
                  </Button>
                )
              }
            >
              A queue holds traces, observations and sessions for people to review, one after
              another, with the same questions.
            </EmptyState>
          )
        }
      />
      <DeleteQueueDialog
        projectId={projectId}
        queue={deleting}
        onClose={() => setDeleting(undefined)}
      />
    </>
  )
}

const idOf = (queue: QueueHead) => queue.id

import { Link, useNavigate } from '@tanstack/react-router'
import { ClipboardCheck, Play, RotateCcw, SquareArrowOutUpRight, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMemberNames } from '@/shared/comments'
import { useAccess, useUser } from '@/shared/currentUser'
import { pagedTableProps, toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { useSearchState } from '@/shared/lib/useSearchState'
import { actionsColumn, DataTable, timeColumn, useTableState, type Column } from '@/shared/table'
import {
  Badge,
  Button,
  EmptyState,
  MiddleCut,
  RowActions,
  SearchField,
  SegmentedControl,
  toast,
  type MenuAction,
} from '@/shared/ui'
import { useQueueItems, useRemoveItem, useSetStatus } from '../api/useQueues'
import {
  itemSelectionOf,
  objectLabel,
  shownStatuses,
  statusIn,
  type QueueItem,
} from '../model/queue'

type ItemTableProps = { projectId: string; queueId: string; onAdd: () => void }

/** The items of a queue: what they are about, how far they are, and who reviewed them. */
export function ItemTable({ projectId, queueId, onAdd }: ItemTableProps) {
  const { can } = useAccess()
  const { id: userId } = useUser()
  const nameOf = useMemberNames(projectId)
  const navigate = useNavigate()
  const [search, change] = useSearchState()
  const [state, setState] = useTableState()
  const selection = itemSelectionOf(search)
  const list = useQueueItems(projectId, queueId, selection)
  const setStatus = useSetStatus(projectId, queueId)
  const remove = useRemoveItem(projectId, queueId)
  const [removing, setRemoving] = useState<string>()
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.items), [pages])
  const who = (id: string) => (id === userId ? 'You' : nameOf(id))
  const review = (itemId: string) =>
    void navigate({
      to: '/project/$projectId/annotation-queues/$queueId/items/$itemId',
      params: { projectId, queueId, itemId },
    })
  const show = ({ objectType, objectId }: QueueItem) => {
    if (objectType === 'SESSION')
      void navigate({
        to: '/project/$projectId/sessions/$sessionId',
        params: { projectId, sessionId: objectId },
      })
    else
      void navigate({
        to: '/project/$projectId/traces/$traceId',
        params: { projectId, traceId: objectId },
      })
  }
  const actionsOf = (item: QueueItem): MenuAction[] => {
    const actions: (MenuAction | false)[] = [
      can('queues:annotate') && {
        id: 'review',
        label: item.status === 'PENDING' ? 'Review' : 'Review again',
        icon: <Play aria-hidden />,
        onAction: () => review(item.id),
      },
      can('traces:read') &&
        item.objectType !== 'OBSERVATION' && {
          id: 'show',
          label: `Open the ${objectLabel(item.objectType).toLowerCase()}`,
          icon: <SquareArrowOutUpRight aria-hidden />,
          onAction: () => show(item),
        },
      can('queues:annotate') &&
        item.status === 'COMPLETED' && {
          id: 'reopen',
          label: 'Make pending again',
          icon: <RotateCcw aria-hidden />,
          onAction: () =>
            setStatus.mutate(
              { itemId: item.id, status: 'PENDING' },
              {
                onSuccess: () => toast('The item is pending again'),
                onError: toastFailure('The item was not changed'),
              },
            ),
        },
      can('evaluation:write') && {
        id: 'remove',
        label: 'Remove from the queue',
        icon: <Trash2 aria-hidden />,
        isDanger: true,
        startsGroup: true,
        onAction: () => setRemoving(item.id),
      },
    ]
    return actions.filter((action) => action !== false)
  }
  const columns: Column<QueueItem>[] = [
    {
      id: 'object',
      header: 'Item',
      width: 240,
      grows: true,
      required: true,
      cell: (item) =>
        can('queues:annotate') ? (
          <Link
            to="/project/$projectId/annotation-queues/$queueId/items/$itemId"
            params={{ projectId, queueId, itemId: item.id }}
            className="min-w-0 hover:underline"
          >
            <MiddleCut text={item.objectId} />
          </Link>
        ) : (
          <MiddleCut text={item.objectId} />
        ),
    },
    {
      id: 'type',
      header: 'What',
      width: 110,
      cell: (item) => objectLabel(item.objectType),
    },
    {
      id: 'status',
      header: 'Status',
      width: 170,
      cell: (item) =>
        item.status === 'COMPLETED' ? (
          <Badge tone="success">Completed</Badge>
        ) : item.openedBy !== null ? (
          <span>Open: {who(item.openedBy)}</span>
        ) : (
          'Pending'
        ),
    },
    {
      id: 'by',
      header: 'Completed by',
      width: 150,
      cell: (item) =>
        item.status === 'COMPLETED' && (
          <bdi>{item.completedBy === null ? 'By the API' : who(item.completedBy)}</bdi>
        ),
    },
    timeColumn<QueueItem>('completed', 'Completed', (item) => item.completedAt),
    {
      id: 'skips',
      header: 'Skipped',
      width: 200,
      cell: (item) => (
        <bdi>
          {item.skips
            .map(({ userId: by, reason }) => who(by) + (reason === '' ? '' : `: ${reason}`))
            .join('; ')}
        </bdi>
      ),
    },
    timeColumn<QueueItem>('added', 'Added', (item) => item.createdAt),
    actionsColumn((item) => (
      <RowActions label={`Actions for ${item.objectId}`} actions={actionsOf(item)} />
    )),
  ]
  const isFiltered = selection.search !== undefined || selection.status !== undefined
  return (
    <>
      <DataTable<QueueItem>
        label="Items"
        isMain
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={JSON.stringify(selection)}
        state={state}
        onStateChange={setState}
        onOpen={can('queues:annotate') ? (item) => review(item.id) : undefined}
        {...pagedTableProps(list, 'items')}
        toolbar={
          <>
            <SearchField
              label="Search items"
              placeholder="Beginning of an id"
              value={search.search ?? ''}
              onChange={(text) => change({ search: text === '' ? undefined : text })}
            />
            <SegmentedControl
              label="Status"
              options={shownStatuses}
              value={statusIn(search.status)}
              onChange={(id) => change({ status: id === 'all' ? undefined : id })}
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState icon={<ClipboardCheck aria-hidden />} title="No item matches">
              No item of this queue has that status and an id that begins like that.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<ClipboardCheck aria-hidden />}
              title="This queue is empty"
              action={
                can('evaluation:write') && (
                  <Button variant="primary" onPress={onAdd}>
                    Add items
                  </Button>
                )
              }
            >
              Items are added from lists of traces and observations, from the page of a trace, by
              their ids, or by the API.
            </EmptyState>
          )
        }
      />
      <ConfirmChange
        title="Remove the item from the queue?"
        action="Remove item"
        change={remove}
        variables={removing}
        onClose={() => setRemoving(undefined)}
        onDone={() => {
          toast('Item removed')
        }}
      >
        <p>Nobody reviews it any more. Scores and comments that were made for it are kept.</p>
      </ConfirmChange>
    </>
  )
}

const idOf = (item: QueueItem) => item.id

import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Database, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useAccess } from '@/shared/currentUser'
import { pagedTableProps, toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { countOf } from '@/shared/lib/format'
import { useSearchState } from '@/shared/lib/useSearchState'
import { actionsColumn, DataTable, timeColumn, useTableState, type Column } from '@/shared/table'
import {
  Badge,
  Button,
  EmptyState,
  linkClass,
  MiddleCut,
  RowActions,
  SearchField,
  SegmentedControl,
  toast,
  type MenuAction,
} from '@/shared/ui'
import { useDeleteItem, useItems, useSaveItem } from '../api/useItems'
import { asOfIn, itemSelectionOf, shownStatuses, statusIn, type ItemPreview } from '../model/items'
import { AsOfSelect } from './AsOfSelect'
import { ChosenItems } from './ChosenItems'

type ItemsTabProps = {
  projectId: string
  datasetId: string
  onOpen: (itemId: string) => void
  onAdd: () => void
}

/** The items of a dataset, with what can be done with each. */
export function ItemsTab({ projectId, datasetId, onOpen, onAdd }: ItemsTabProps) {
  const { can } = useAccess()
  const [search, change] = useSearchState()
  const [state, setState] = useTableState()
  const selection = itemSelectionOf(search)
  // What was cannot be changed.
  const canChange = can('datasets:write') && selection.version === undefined
  const canDelete = can('datasets:delete') && selection.version === undefined
  const list = useItems(projectId, datasetId, selection)
  const save = useSaveItem(projectId, datasetId)
  const remove = useDeleteItem(projectId)
  const [deleting, setDeleting] = useState<string>()
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.items), [pages])
  const archive = ({ id, updatedAt, status }: ItemPreview) =>
    save.mutate(
      { id, base: updatedAt, status: status === 'ACTIVE' ? 'ARCHIVED' : 'ACTIVE' },
      {
        onSuccess: () => toast(status === 'ACTIVE' ? 'Item archived' : 'Item restored'),
        onError: toastFailure('The item was not changed'),
      },
    )
  const actionsOf = (item: ItemPreview): MenuAction[] => {
    const actions: (MenuAction | false)[] = [
      {
        id: 'open',
        label: canChange ? 'Edit' : 'Open',
        icon: <Pencil aria-hidden />,
        onAction: () => onOpen(item.id),
      },
      canChange && {
        id: 'archive',
        label: item.status === 'ACTIVE' ? 'Archive' : 'Restore',
        icon: item.status === 'ACTIVE' ? <Archive aria-hidden /> : <ArchiveRestore aria-hidden />,
        onAction: () => archive(item),
      },
      canDelete && {
        id: 'delete',
        label: 'Delete',
        icon: <Trash2 aria-hidden />,
        isDanger: true,
        startsGroup: true,
        onAction: () => setDeleting(item.id),
      },
    ]
    return actions.filter((action) => action !== false)
  }
  const preview = (id: 'input' | 'expectedOutput' | 'metadata', header: string) => ({
    id,
    header,
    width: id === 'metadata' ? 150 : 240,
    grows: id === 'input',
    cell: (item: ItemPreview) => <bdi className="font-mono text-sm">{item[id]}</bdi>,
  })
  const columns: Column<ItemPreview>[] = [
    {
      id: 'id',
      header: 'Id',
      width: 150,
      required: true,
      cell: (item) => (
        <Link
          to="/project/$projectId/datasets/$datasetId/items/$itemId"
          params={{ projectId, datasetId, itemId: item.id }}
          search={(before: object) => before}
          className="min-w-0 hover:underline"
        >
          <MiddleCut text={item.id} />
        </Link>
      ),
    },
    preview('input', 'Input'),
    preview('expectedOutput', 'Expected output'),
    preview('metadata', 'Metadata'),
    ...(can('traces:read')
      ? [
          {
            id: 'source',
            header: 'Source',
            width: 80,
            cell: (item: ItemPreview) =>
              item.sourceTraceId !== null && (
                <Link
                  to="/project/$projectId/traces/$traceId"
                  params={{ projectId, traceId: item.sourceTraceId }}
                  search={{ observation: item.sourceObservationId ?? undefined }}
                  className={linkClass}
                >
                  Trace
                </Link>
              ),
          },
        ]
      : []),
    {
      id: 'status',
      header: 'Status',
      width: 90,
      cell: (item) => (item.status === 'ARCHIVED' ? <Badge>Archived</Badge> : 'Active'),
    },
    timeColumn('updated', 'Changed', (item) => item.updatedAt),
    actionsColumn((item) => (
      <RowActions label={`Actions for ${item.id}`} actions={actionsOf(item)} />
    )),
  ]
  const isFiltered = selection.search !== undefined || selection.status !== 'ACTIVE'
  return (
    <>
      <DataTable<ItemPreview>
        label="Items"
        isMain
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={JSON.stringify(selection)}
        state={state}
        onStateChange={setState}
        onOpen={(item) => onOpen(item.id)}
        {...pagedTableProps(list, 'items')}
        count={
          rows &&
          rows.length > 0 && (
            <span className="tabular">
              {list.hasNextPage ? `${rows.length}+ items` : countOf(rows.length, 'item')}
            </span>
          )
        }
        selectionBar={
          canChange
            ? (ids, clear) => (
                <ChosenItems projectId={projectId} datasetId={datasetId} ids={ids} onDone={clear} />
              )
            : undefined
        }
        toolbar={
          <>
            <SearchField
              label="Search items"
              placeholder="Search ids and values"
              value={search.search ?? ''}
              onChange={(text) => change({ search: text === '' ? undefined : text })}
            />
            <SegmentedControl
              label="Status"
              options={shownStatuses}
              value={statusIn(search.status)}
              onChange={(id) => change({ status: id === 'active' ? undefined : id })}
            />
            <AsOfSelect
              projectId={projectId}
              datasetId={datasetId}
              asOf={asOfIn(search.asOf)}
              onChange={(asOf) => change({ asOf })}
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState icon={<Database aria-hidden />} title="No item matches">
              {selection.search === undefined
                ? 'No item of this dataset is archived.'
                : `No id or value contains “${selection.search}”.`}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Database aria-hidden />}
              title="No active items"
              action={
                canChange && (
                  <Button variant="primary" onPress={onAdd}>
                    Add an item
                  </Button>
                )
              }
            >
              An item is an input with the output that you expect. Items can also be added from the
              page of a trace, or by the API.
            </EmptyState>
          )
        }
      />
      <ConfirmChange
        title="Delete the item?"
        action="Delete item"
        change={remove}
        variables={deleting}
        onClose={() => setDeleting(undefined)}
        onDone={() => {
          toast('Item deleted')
        }}
      >
        <p>
          Earlier runs keep their results. Archive the item instead if it shall only be left out of
          new runs.
        </p>
      </ConfirmChange>
    </>
  )
}

const idOf = (item: ItemPreview) => item.id

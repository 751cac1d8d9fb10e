import { Link, useNavigate } from '@tanstack/react-router'
import { Database, Folder, FolderOpen, Pencil, SquareArrowOutUpRight, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useAccess } from '@/shared/currentUser'
import { pagedTableProps } from '@/shared/errors'
import { nameWithin } from '@/shared/lib/folders'
import { useSearchState } from '@/shared/lib/useSearchState'
import {
  actionsColumn,
  countColumn,
  DataTable,
  timeColumn,
  useTableState,
  type Column,
} from '@/shared/table'
import { Badge, Button, EmptyState, RowActions, SearchField, type MenuAction } from '@/shared/ui'
import { useDatasets } from '../api/useDatasets'
import {
  orderOf,
  rowsOf,
  schemaText,
  totalOf,
  type DatasetHead,
  type Row,
  type Selection,
} from '../model/browse'
import { DeleteDatasetDialog } from './DeleteDatasetDialog'

type DatasetTableProps = {
  projectId: string
  selection: Selection
  onFolder: (folder: string) => void
  onCreate: () => void
  onEdit: (datasetId: string) => void
}

/** Folders and datasets, with what can be done with them. */
export function DatasetTable(props: DatasetTableProps) {
  const { projectId, selection, onFolder, onCreate, onEdit } = props
  const { can } = useAccess()
  const navigate = useNavigate()
  const [, change] = useSearchState()
  const [state, setState] = useTableState()
  const list = useDatasets(projectId, selection, orderOf(state))
  const [deleting, setDeleting] = useState<DatasetHead>()
  const pages = list.data?.pages
  const rows = useMemo(
    () =>
      pages &&
      rowsOf(
        pages[0]?.folders ?? [],
        pages.flatMap((page) => page.datasets),
      ),
    [pages],
  )
  const total = pages?.[0] && totalOf(pages[0])
  const open = (row: Row) => {
    if (row.kind === 'folder') onFolder(row.name)
    else
      void navigate({
        to: '/project/$projectId/datasets/$datasetId/items',
        params: { projectId, datasetId: row.dataset.id },
      })
  }
  const actionsOf = (row: Row): MenuAction[] => {
    const actions: (MenuAction | false)[] = [
      {
        id: 'open',
        label: 'Open',
        icon:
          row.kind === 'folder' ? (
            <FolderOpen aria-hidden />
          ) : (
            <SquareArrowOutUpRight aria-hidden />
          ),
        onAction: () => open(row),
      },
      row.kind === 'dataset' &&
        can('datasets:write') && {
          id: 'edit',
          label: 'Edit',
          icon: <Pencil aria-hidden />,
          onAction: () => onEdit(row.dataset.id),
        },
      row.kind === 'dataset' &&
        can('datasets:delete') && {
          id: 'delete',
          label: 'Delete',
          icon: <Trash2 aria-hidden />,
          isDanger: true,
          startsGroup: true,
          onAction: () => setDeleting(row.dataset),
        },
    ]
    return actions.filter((action) => action !== false)
  }
  const of = (row: Row) => (row.kind === 'dataset' ? row.dataset : undefined)
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 280,
      grows: true,
      required: true,
      sortable: true,
      cell: (row) => <NameCell row={row} projectId={projectId} folder={selection.folder} />,
    },
    countColumn<Row>('items', 'Items', (row) => of(row)?.items, { sortable: true }),
    {
      id: 'schemas',
      header: 'Checked by a schema',
      width: 180,
      cell: (row) => row.kind === 'dataset' && schemaText(row.dataset),
    },
    {
      id: 'description',
      header: 'Description',
      width: 240,
      cell: (row) => <bdi>{of(row)?.description}</bdi>,
    },
    timeColumn<Row>('created', 'Created', (row) => of(row)?.createdAt, { sortable: true }),
    timeColumn<Row>(
      'updated',
      'Updated',
      (row) => (row.kind === 'folder' ? row.folder.updatedAt : row.dataset.updatedAt),
      { sortable: true },
    ),
    actionsColumn((row) => (
      <RowActions label={`Actions for ${row.name}`} actions={actionsOf(row)} />
    )),
  ]
  return (
    <>
      <DataTable<Row>
        label="Datasets"
        isMain
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={JSON.stringify(selection)}
        state={state}
        onStateChange={setState}
        onOpen={open}
        {...pagedTableProps(list, 'datasets')}
        count={
          total !== undefined &&
          total > 0 && (
            <span className="tabular">
              {total} {total === 1 ? 'dataset' : 'datasets'}
            </span>
          )
        }
        toolbar={
          <SearchField
            label="Search datasets"
            placeholder="Search names and descriptions"
            value={selection.search ?? ''}
            onChange={(text) => change({ search: text === '' ? undefined : text })}
          />
        }
        empty={<NoDatasets selection={selection} onCreate={can('datasets:write') && onCreate} />}
      />
      <DeleteDatasetDialog
        projectId={projectId}
        dataset={deleting}
        onClose={() => setDeleting(undefined)}
      />
    </>
  )
}

const idOf = (row: Row) => row.id

type NameCellProps = { row: Row; projectId: string; folder: string | undefined }

function NameCell({ row, projectId, folder }: NameCellProps) {
  const shown = <bdi>{nameWithin(row.name, folder)}</bdi>
  if (row.kind === 'folder')
    return (
      <span className="flex min-w-0 items-center gap-2">
        <Folder aria-hidden className="size-4 shrink-0 text-accent" />
        <Link
          to="/project/$projectId/datasets"
          params={{ projectId }}
          search={{ folder: row.name }}
          className="min-w-0 truncate font-medium hover:underline"
        >
          {shown}
        </Link>
        <Badge>{row.folder.datasets}</Badge>
      </span>
    )
  return (
    <span className="flex min-w-0 items-center gap-2" title={row.name}>
      <Database aria-hidden className="size-4 shrink-0 text-text-3" />
      <Link
        to="/project/$projectId/datasets/$datasetId/items"
        params={{ projectId, datasetId: row.dataset.id }}
        className="min-w-0 truncate hover:underline"
      >
        {shown}
      </Link>
    </span>
  )
}

type NoDatasetsProps = { selection: Selection; onCreate: (() => void) | false }

function NoDatasets({ selection, onCreate }: NoDatasetsProps): ReactNode {
  const icon = <Database aria-hidden />
  if (selection.search !== undefined)
    return (
      <EmptyState icon={icon} title="No dataset matches">
        No name or description contains “{selection.search}”.
        {selection.folder !== undefined && ' Only this folder was searched.'}
      </EmptyState>
    )
  const action = onCreate !== false && (
    <Button variant="primary" onPress={onCreate}>
      New dataset
    </Button>
  )
  if (selection.folder !== undefined)
    return (
      <EmptyState icon={icon} title="This folder is empty" action={action}>
        Folders come from slashes in names: a dataset called <bdi>{selection.folder}/first</bdi>{' '}
        would be here.
      </EmptyState>
    )
  return (
    <EmptyState icon={icon} title="No datasets yet" action={action}>
      A dataset holds inputs with expected outputs. Run your application on them after every change,
      and compare the runs.
    </EmptyState>
  )
}

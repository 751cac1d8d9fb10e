import { Link, useNavigate } from '@tanstack/react-router'
import { Download, Pencil, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { RunExperiment, ServerRuns } from '@/features/experiments'
import { ApiError } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { cx } from '@/shared/lib/cx'
import { pathTo } from '@/shared/lib/folders'
import { useSearchState } from '@/shared/lib/useSearchState'
import { GuardedPage } from '@/shared/roles'
import { Button, EmptyState, linkClass, Menu, Skeleton } from '@/shared/ui'
import { useDataset } from './api/useDatasets'
import { downloadItems } from './api/useImport'
import { DatasetDialog } from './components/DatasetDialog'
import { DeleteDatasetDialog } from './components/DeleteDatasetDialog'
import { ImportDialog } from './components/ImportDialog'
import { ItemDialog } from './components/ItemDialog'
import { ItemsTab } from './components/ItemsTab'
import { RunsTab } from './components/RunsTab'
import type { DatasetDetails } from './model/draft'
import { asOfIn } from './model/items'

type DatasetPageProps = {
  datasetId: string
  tab: 'items' | 'runs'
  /** The item that is open. */
  itemId?: string
}

/** One dataset: its items, and the runs on them. */
export function DatasetPage(props: DatasetPageProps) {
  const { project } = useProject()
  const dataset = useDataset(project.id, props.datasetId)
  const { data } = dataset
  return (
    <GuardedPage
      frame="fill"
      title={data?.name ?? 'Dataset'}
      description={data && <About projectId={project.id} dataset={data} />}
      permission="datasets:read"
      doing="see the datasets"
      actions={data && <Actions projectId={project.id} dataset={data} />}
    >
      {data ? (
        <Content key={data.id} {...props} projectId={project.id} dataset={data} />
      ) : !dataset.isError ? (
        <Skeleton className="h-64" />
      ) : dataset.error instanceof ApiError && dataset.error.status === 404 ? (
        <EmptyState title="There is no such dataset">
          It may have been deleted, or be in another project.
        </EmptyState>
      ) : (
        <LoadError title="Couldn’t load the dataset" query={dataset} />
      )}
    </GuardedPage>
  )
}

/** The folders that the dataset is in, each a link to its list, and what it is for. */
function About({ projectId, dataset }: { projectId: string; dataset: DatasetDetails }) {
  const folders = pathTo(dataset.name).slice(0, -1)
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="flex flex-wrap gap-x-1 text-sm">
        <Link to="/project/$projectId/datasets" params={{ projectId }} className={linkClass}>
          Datasets
        </Link>
        {folders.map(({ name, path }) => (
          <span key={path} className="min-w-0 break-words">
            /{' '}
            <Link
              to="/project/$projectId/datasets"
              params={{ projectId }}
              search={{ folder: path }}
              className={linkClass}
            >
              <bdi>{name}</bdi>
            </Link>
          </span>
        ))}
      </span>
      {dataset.description !== null && <bdi>{dataset.description}</bdi>}
    </span>
  )
}

function Actions({ projectId, dataset }: { projectId: string; dataset: DatasetDetails }) {
  const { can } = useProject()
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      {can('datasets:delete') && (
        <Button variant="ghost" icon={<Trash2 aria-hidden />} onPress={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      {can('datasets:write') && (
        <Button icon={<Pencil aria-hidden />} onPress={() => setEditing(true)}>
          Edit dataset
        </Button>
      )}
      <DatasetDialog
        projectId={projectId}
        edited={isEditing ? { kind: 'change', id: dataset.id } : undefined}
        onClose={() => setEditing(false)}
      />
      <DeleteDatasetDialog
        projectId={projectId}
        dataset={isDeleting ? dataset : undefined}
        onClose={() => setDeleting(false)}
        // The page is left: it would ask for what is no more.
        onDeleted={() => navigate({ to: '/project/$projectId/datasets', params: { projectId } })}
      />
    </>
  )
}

const exportFormats = [
  { id: 'csv', label: 'CSV' },
  { id: 'jsonl', label: 'JSON lines' },
  { id: 'json', label: 'JSON' },
] as const

type ContentProps = Omit<DatasetPageProps, 'datasetId'> & {
  projectId: string
  dataset: DatasetDetails
}

function Content({ projectId, dataset, tab, itemId }: ContentProps) {
  const datasetId = dataset.id
  const { can } = useProject()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [search] = useSearchState()
  const asOf = asOfIn(search.asOf)
  const params = { projectId, datasetId }
  const tabClass = (isCurrent: boolean) =>
    cx(
      '-mb-px flex h-8 items-center border-b-2',
      isCurrent ? 'border-accent text-text-1' : 'border-transparent text-text-3 hover:text-text-1',
    )
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1 border-b border-border">
        <nav aria-label="Parts of the dataset" className="flex grow gap-4">
          <Link
            to="/project/$projectId/datasets/$datasetId/items"
            params={params}
            className={tabClass(tab === 'items')}
            aria-current={tab === 'items' ? 'page' : undefined}
          >
            Items
          </Link>
          {can('traces:read') && (
            <Link
              to="/project/$projectId/datasets/$datasetId/experiments"
              params={params}
              className={tabClass(tab === 'runs')}
              aria-current={tab === 'runs' ? 'page' : undefined}
            >
              Runs
            </Link>
          )}
        </nav>
        {tab === 'runs' && can('playground:run') && (
          <span className="pb-1">
            <RunExperiment projectId={projectId} datasetId={datasetId} />
          </span>
        )}
        {tab === 'items' && (
          <span className="flex gap-2 pb-1">
            <Menu
              label="Export items"
              placement="bottom end"
              trigger={
                <Button size="sm" icon={<Download aria-hidden />}>
                  Export
                </Button>
              }
              actions={exportFormats.map(({ id, label }) => ({
                id,
                label,
                onAction: () => downloadItems(projectId, dataset, id, asOf),
              }))}
            />
            {can('datasets:write') && asOf === undefined && (
              <>
                <Button size="sm" icon={<Upload aria-hidden />} onPress={() => setImporting(true)}>
                  Import
                </Button>
                <Button size="sm" icon={<Plus aria-hidden />} onPress={() => setAdding(true)}>
                  Add item
                </Button>
              </>
            )}
          </span>
        )}
      </div>
      {tab === 'runs' ? (
        can('traces:read') ? (
          <>
            {can('playground:run') && <ServerRuns projectId={projectId} datasetId={datasetId} />}
            <RunsTab projectId={projectId} datasetId={datasetId} />
          </>
        ) : (
          <EmptyState title="Your role does not allow to see runs" />
        )
      ) : (
        <>
          <ItemsTab
            projectId={projectId}
            datasetId={datasetId}
            onAdd={() => setAdding(true)}
            onOpen={(id) =>
              void navigate({
                to: '/project/$projectId/datasets/$datasetId/items/$itemId',
                params: { ...params, itemId: id },
                search: (before: object) => before,
              })
            }
          />
          <ImportDialog
            projectId={projectId}
            datasetId={datasetId}
            isOpen={isImporting}
            onClose={() => setImporting(false)}
          />
          <ItemDialog
            projectId={projectId}
            datasetId={datasetId}
            item={isAdding ? 'new' : itemId === undefined ? undefined : { id: itemId }}
            asOf={asOf}
            onClose={() => {
              setAdding(false)
              if (itemId !== undefined)
                void navigate({
                  to: '/project/$projectId/datasets/$datasetId/items',
                  params,
                  search: (before: object) => before,
                })
            }}
          />
        </>
      )}
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { Folder, MessagesSquare, Type } from 'lucide-react'
import type { ReactNode } from 'react'
import { encodeFilter } from '@/shared/lib/filter'
import { nameWithin } from '@/shared/lib/folders'
import { authorName } from '@/shared/prompts'
import type { Column } from '@/shared/table'
import { linkClass, Time, Tokens } from '@/shared/ui'
import type { Row } from '../model/browse'
import { LabelChips } from './LabelChips'
import { TagsCell } from './TagsCell'

type Context = {
  projectId: string
  folder: string | undefined
  mayWrite: boolean
  /** Absent for those who may not see observations. */
  uses: ReadonlyMap<string, number> | undefined
  actions: (row: Row) => ReactNode
}

export function promptColumns(context: Context): Column<Row>[] {
  const { projectId, folder, mayWrite, uses } = context
  return [
    {
      id: 'name',
      header: 'Name',
      width: 260,
      grows: true,
      required: true,
      sortable: true,
      cell: (row) => <NameCell row={row} projectId={projectId} folder={folder} />,
    },
    {
      id: 'type',
      header: 'Type',
      width: 80,
      cell: (row) => row.kind === 'prompt' && (row.prompt.type === 'chat' ? 'Chat' : 'Text'),
    },
    {
      id: 'latest',
      header: 'Latest version',
      width: 210,
      sortable: true,
      cell: (row) =>
        row.kind === 'folder' ? (
          <span className="text-text-3">
            <Time at={row.folder.latestAt} />
          </span>
        ) : (
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="tabular">v{row.prompt.latest.version}</span>
            <span className="min-w-0 truncate text-text-3">
              <Time at={row.prompt.latest.createdAt} /> by{' '}
              <bdi>{authorName(row.prompt.latest.createdBy)}</bdi>
            </span>
          </span>
        ),
    },
    {
      id: 'labels',
      header: 'Labels',
      width: 220,
      cell: (row) =>
        row.kind === 'prompt' && (
          <LabelChips labels={row.prompt.labels} newest={row.prompt.latest.version} />
        ),
    },
    {
      id: 'tags',
      header: 'Tags',
      width: 170,
      cell: (row) =>
        row.kind === 'prompt' && (
          <TagsCell
            projectId={projectId}
            promptName={row.name}
            tags={row.prompt.tags}
            mayWrite={mayWrite}
          />
        ),
    },
    ...(uses
      ? [
          {
            id: 'uses',
            header: 'Uses in 7 days',
            width: 120,
            align: 'end' as const,
            cell: (row: Row) =>
              row.kind === 'prompt' && (
                <UsesCell projectId={projectId} name={row.name} count={uses.get(row.name)} />
              ),
          },
        ]
      : []),
    { id: 'actions', header: 'Actions', width: 80, required: true, cell: context.actions },
  ]
}

type NameCellProps = { row: Row; projectId: string; folder: string | undefined }

function NameCell({ row, projectId, folder }: NameCellProps) {
  const shown = nameWithin(row.name, folder)
  if (row.kind === 'folder')
    return (
      <span className="flex min-w-0 items-center gap-2">
        <Folder aria-hidden className="size-4 shrink-0 text-accent" />
        <Link
          to="/project/$projectId/prompts"
          params={{ projectId }}
          search={{ folder: row.name }}
          className="min-w-0 truncate font-medium hover:underline"
        >
          <bdi>{shown}</bdi>
        </Link>
        <span className="shrink-0 text-sm text-text-3">
          {row.folder.prompts} {row.folder.prompts === 1 ? 'prompt' : 'prompts'}
        </span>
      </span>
    )
  const Icon = row.prompt.type === 'chat' ? MessagesSquare : Type
  return (
    <span className="flex min-w-0 items-center gap-2" title={row.name}>
      <Icon aria-hidden className="size-4 shrink-0 text-text-3" />
      <Link
        to="/project/$projectId/prompts/$promptName"
        params={{ projectId, promptName: row.name }}
        className="min-w-0 truncate hover:underline"
      >
        <bdi>{shown}</bdi>
      </Link>
    </span>
  )
}

type UsesCellProps = { projectId: string; name: string; count: number | undefined }

/** How often it was used, with the observations behind the number. */
function UsesCell({ projectId, name, count }: UsesCellProps) {
  if (count === undefined) return <span className="text-text-3">…</span>
  if (count === 0) return <span className="tabular text-text-3">0</span>
  return (
    <Link
      to="/project/$projectId/observations"
      params={{ projectId }}
      search={{
        filter: encodeFilter([
          { type: 'stringOptions', column: 'promptName', operator: 'any of', value: [name] },
        ]),
        dateRange: '7d',
      }}
      className={linkClass}
      aria-label={`${count} observations with ${name}`}
    >
      <Tokens count={count} />
    </Link>
  )
}

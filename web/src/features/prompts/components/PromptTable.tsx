import { useNavigate } from '@tanstack/react-router'
import {
  Copy,
  Download,
  FilePlus2,
  FolderOpen,
  Play,
  SquareArrowOutUpRight,
  Trash2,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import { pagedTableProps, toastFailure } from '@/shared/errors'
import { useAccess } from '@/shared/currentUser'
import { usePromptLabels } from '@/shared/prompts'
import { DataTable, useTableState } from '@/shared/table'
import { Button, Menu, RowActions, type MenuAction } from '@/shared/ui'
import { useExport, type Exported } from '../api/useExport'
import { usePrompts, usePromptUses } from '../api/usePrompts'
import { isFiltered, orderOf, rowsOf, totalOf, type Row, type Selection } from '../model/browse'
import type { CopySource } from '../model/copy'
import { promptColumns } from './columns'
import { CopyDialog } from './CopyDialog'
import { DeleteDialog, type Chosen } from './DeleteDialog'
import { Filters } from './Filters'
import { NoPrompts } from './NoPrompts'

type PromptTableProps = {
  projectId: string
  selection: Selection
  onFolder: (folder: string) => void
}

/** Folders and prompts, with what can be done with them. */
export function PromptTable({ projectId, selection, onFolder }: PromptTableProps) {
  const { can } = useAccess()
  const mayWrite = can('prompts:write')
  const mayDelete = can('prompts:delete')
  const navigate = useNavigate()
  const [state, setState] = useTableState()
  const list = usePrompts(projectId, selection, orderOf(state))
  const labels = usePromptLabels(projectId)
  const save = useExport(projectId)
  const [copied, setCopied] = useState<CopySource>()
  const [deleting, setDeleting] = useState<{ chosen: Chosen; clear: () => void }>()

  const pages = list.data?.pages
  const rows = useMemo(
    () =>
      pages &&
      rowsOf(
        pages[0]?.folders ?? [],
        pages.flatMap((page) => page.prompts),
      ),
    [pages],
  )
  const names = useMemo(
    () => (pages ?? []).map((page) => page.prompts.map(({ name }) => name)),
    [pages],
  )
  const { uses } = usePromptUses(projectId, names, can('traces:read'))
  const total = pages?.[0] && totalOf(pages[0])

  const open = (row: Row) => {
    if (row.kind === 'folder') onFolder(row.name)
    else
      void navigate({
        to: '/project/$projectId/prompts/$promptName',
        params: { projectId, promptName: row.name },
      })
  }
  const exportRows = (chosen: Chosen, versions: Exported['versions'], title: string) =>
    save.mutate(
      {
        what: [
          ...chosen.folders.map((folder) => ({ folder })),
          ...chosen.prompts.map((name) => ({ name })),
        ],
        versions,
        title,
      },
      { onError: toastFailure('The prompts could not be exported') },
    )
  const chosenOf = (ids: readonly string[]): Chosen => {
    const found = new Set(ids)
    const chosen = rows?.filter((row) => found.has(row.id)) ?? []
    const of = (kind: Row['kind']) =>
      chosen.filter((row) => row.kind === kind).map((row) => row.name)
    return { folders: of('folder'), prompts: of('prompt') }
  }

  const actionsOf = (row: Row): MenuAction[] => {
    const one: Chosen =
      row.kind === 'folder'
        ? { folders: [row.name], prompts: [] }
        : { folders: [], prompts: [row.name] }
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
      row.kind === 'prompt' &&
        mayWrite && {
          id: 'version',
          label: 'New version',
          icon: <FilePlus2 aria-hidden />,
          onAction: () =>
            void navigate({
              to: '/project/$projectId/prompts/new',
              params: { projectId },
              search: { name: row.name },
            }),
        },
      row.kind === 'prompt' &&
        can('playground:run') && {
          id: 'playground',
          label: 'Open in the playground',
          icon: <Play aria-hidden />,
          onAction: () =>
            void navigate({
              to: '/project/$projectId/playground',
              params: { projectId },
              search: { prompt: row.name, version: String(row.prompt.latest.version) },
            }),
        },
      mayWrite && {
        id: 'copy',
        label: row.kind === 'folder' ? 'Copy the folder' : 'Copy',
        icon: <Copy aria-hidden />,
        onAction: () => setCopied({ kind: row.kind, name: row.name }),
      },
      {
        id: 'export',
        label: 'Export, all versions',
        icon: <Download aria-hidden />,
        onAction: () => exportRows(one, 'all', row.name),
      },
      mayDelete && {
        id: 'delete',
        label: row.kind === 'folder' ? 'Delete what is in it' : 'Delete',
        icon: <Trash2 aria-hidden />,
        isDanger: true,
        startsGroup: true,
        onAction: () => setDeleting({ chosen: one, clear: () => {} }),
      },
    ]
    return actions.filter((action) => action !== false)
  }

  const columns = promptColumns({
    projectId,
    folder: selection.folder,
    mayWrite,
    uses: can('traces:read') ? uses : undefined,
    actions: (row) => <RowActions label={`Actions for ${row.name}`} actions={actionsOf(row)} />,
  })
  return (
    <>
      <DataTable<Row>
        label="Prompts"
        isMain
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={JSON.stringify(selection)}
        state={state}
        onStateChange={setState}
        onOpen={open}
        {...pagedTableProps(list, 'prompts')}
        count={
          total !== undefined &&
          total > 0 && (
            <span className="tabular">
              {total} {total === 1 ? 'prompt' : 'prompts'}
            </span>
          )
        }
        toolbar={
          <Filters
            selection={selection}
            labels={labels.data?.labels.map(({ label }) => label) ?? []}
            tags={labels.data?.tags ?? []}
          />
        }
        selectionBar={(ids, clear) => (
          <>
            <Menu
              label="Export"
              trigger={
                <Button size="sm" icon={<Download aria-hidden />} isPending={save.isPending}>
                  Export
                </Button>
              }
              actions={[
                {
                  id: 'latest',
                  label: 'Latest versions',
                  onAction: () => exportRows(chosenOf(ids), 'latest', 'selection'),
                },
                {
                  id: 'all',
                  label: 'All versions',
                  onAction: () => exportRows(chosenOf(ids), 'all', 'selection'),
                },
              ]}
            />
            {mayDelete && (
              <Button
                size="sm"
                icon={<Trash2 aria-hidden />}
                onPress={() => setDeleting({ chosen: chosenOf(ids), clear })}
              >
                Delete
              </Button>
            )}
          </>
        )}
        empty={
          <NoPrompts
            projectId={projectId}
            selection={selection}
            isFiltered={isFiltered(selection)}
            mayWrite={mayWrite}
          />
        }
      />
      <CopyDialog projectId={projectId} source={copied} onClose={() => setCopied(undefined)} />
      <DeleteDialog
        projectId={projectId}
        chosen={deleting?.chosen}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => deleting?.clear()}
      />
    </>
  )
}

const idOf = (row: Row) => row.id

import { Archive, ArchiveRestore, Pencil, Plus, Star } from 'lucide-react'
import { useState } from 'react'
import { LoadError, toastFailure } from '@/shared/errors'
import { Forbidden, NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { actionsColumn, DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Badge, Button, EmptyState, PageHeader, Time, toast, RowActions } from '@/shared/ui'
import { useChangeScoreConfig, useScoreConfigs, type ScoreConfig } from '@/shared/scoring'
import { ConfigDialog } from './components/ConfigDialog'
import { dataTypeLabel, describeRange } from './model/config'

/** What values scores may have: names, types, ranges, categories. */
export function ScoreConfigsPage() {
  const { project, can } = useProject()
  const [edited, setEdited] = useState<ScoreConfig | 'new'>()
  const mayWrite = can('evaluation:write')
  const create = () => setEdited('new')
  return (
    <>
      <PageHeader
        title="Score configs"
        description="Configs define which scores are valid, so that everybody scores alike. They are archived, never deleted, because scores refer to them."
        actions={
          mayWrite ? (
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={create}>
              New config
            </Button>
          ) : (
            can('scores:read') && (
              <NeedsRole
                doing="change score configs"
                permission="evaluation:write"
                level="project"
              />
            )
          )
        }
      />
      {can('scores:read') ? (
        <ConfigTable mayWrite={mayWrite} onCreate={create} onEdit={setEdited} />
      ) : (
        <Forbidden
          doing="see the score configs"
          permission="scores:read"
          level="project"
          role={project.role}
        />
      )}
      <ConfigDialog projectId={project.id} config={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}

type ConfigTableProps = {
  mayWrite: boolean
  onCreate: () => void
  onEdit: (config: ScoreConfig) => void
}

function ConfigTable({ mayWrite, onCreate, onEdit }: ConfigTableProps) {
  const { project } = useProject()
  const configs = useScoreConfigs(project.id)
  const change = useChangeScoreConfig(project.id)
  const [state, setState] = useTableState()
  const archive = (config: ScoreConfig) =>
    change.mutate(
      { configId: config.id, change: { isArchived: !config.isArchived } },
      {
        onSuccess: () => toast(config.isArchived ? 'Config restored' : 'Config archived'),
        onError: toastFailure('The config was not changed'),
      },
    )
  const columns: Column<ScoreConfig>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 170,
      required: true,
      sortable: true,
      cell: (config) => (
        <span className="flex items-center gap-2">
          <span className="truncate">{config.name}</span>
          {config.isArchived && <Badge>Archived</Badge>}
        </span>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      width: 100,
      sortable: true,
      cell: (config) => dataTypeLabel(config.dataType),
    },
    { id: 'range', header: 'Allows', width: 200, grows: true, cell: describeRange },
    {
      id: 'description',
      header: 'Description',
      width: 200,
      cell: (config) => config.description,
    },
    {
      id: 'created',
      header: 'Created',
      width: 100,
      sortable: true,
      cell: (config) => <Time at={config.createdAt} />,
    },
    ...(mayWrite
      ? [
          actionsColumn<ScoreConfig>((config) => (
            <RowActions
              label={`Actions for ${config.name}`}
              actions={[
                {
                  id: 'edit',
                  label: 'Edit',
                  icon: <Pencil aria-hidden />,
                  onAction: () => onEdit(config),
                },
                {
                  id: 'archive',
                  label: config.isArchived ? 'Use again' : 'Archive',
                  icon: config.isArchived ? (
                    <ArchiveRestore aria-hidden />
                  ) : (
                    <Archive aria-hidden />
                  ),
                  onAction: () => archive(config),
                },
              ]}
            />
          )),
        ]
      : []),
  ]
  const rows =
    configs.data &&
    sortRows(configs.data, state, {
      name: (config) => config.name,
      type: (config) => dataTypeLabel(config.dataType),
      created: (config) => config.createdAt,
    })
  return (
    <DataTable
      label="Score configs"
      columns={columns}
      rows={rows}
      rowId={(config) => config.id}
      state={state}
      onStateChange={setState}
      onOpen={mayWrite ? onEdit : undefined}
      maxHeight={tableHeight}
      error={
        configs.isError && <LoadError title="Couldn’t load the score configs" query={configs} />
      }
      empty={
        <EmptyState
          icon={<Star aria-hidden />}
          title="No score configs"
          action={mayWrite && <Button onPress={onCreate}>Create the first</Button>}
        >
          A config says what a score is called and which values it has.
        </EmptyState>
      }
    />
  )
}

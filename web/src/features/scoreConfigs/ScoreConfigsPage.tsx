import { Archive, ArchiveRestore, Pencil, Plus, Star } from 'lucide-react'
import { useState } from 'react'
import { QueryTable, toastFailure } from '@/shared/errors'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { actionsColumn, timeColumn } from '@/shared/table'
import { Badge, Button, EmptyState, toast, RowActions } from '@/shared/ui'
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
    <GuardedPage
      frame="settings"
      title="Score configs"
      description="Configs define which scores are valid, so that everybody scores alike. They are archived, never deleted, because scores refer to them."
      permission="scores:read"
      doing="see the score configs"
      actions={
        <NeedsRole doing="change score configs" permission="evaluation:write">
          <Button variant="primary" icon={<Plus aria-hidden />} onPress={create}>
            New config
          </Button>
        </NeedsRole>
      }
    >
      <ConfigTable mayWrite={mayWrite} onCreate={create} onEdit={setEdited} />
      <ConfigDialog projectId={project.id} config={edited} onClose={() => setEdited(undefined)} />
    </GuardedPage>
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
  const archive = (config: ScoreConfig) =>
    change.mutate(
      { configId: config.id, change: { isArchived: !config.isArchived } },
      {
        onSuccess: () => toast(config.isArchived ? 'Config restored' : 'Config archived'),
        onError: toastFailure('The config was not changed'),
      },
    )
  return (
    <QueryTable<ScoreConfig>
      label="Score configs"
      what="the score configs"
      query={configs}
      rows={configs.data}
      rowId={(config) => config.id}
      onOpen={mayWrite ? onEdit : undefined}
      columns={[
        {
          id: 'name',
          header: 'Name',
          width: 170,
          required: true,
          sortable: true,
          value: (config) => config.name,
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
        timeColumn('created', 'Created', (config) => config.createdAt, {
          width: 100,
          sortable: true,
        }),
        mayWrite &&
          actionsColumn((config) => (
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
      ]}
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

import { useNavigate } from '@tanstack/react-router'
import { Pencil, Plug, Plus, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { Forbidden, NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { actionsColumn, DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Button, EmptyState, PageHeader, Time, toast, RowActions } from '@/shared/ui'
import { useConnections, useDeleteConnection, type Connection } from './api/useConnections'
import { TestDialog } from './components/TestDialog'
import { adapterLabel } from './model/connection'

/** The model providers that the project can call. */
export function ConnectionsPage() {
  const { project, can } = useProject()
  const navigate = useNavigate()
  const create = () =>
    void navigate({
      to: '/project/$projectId/settings/llm-connections/new',
      params: { projectId: project.id },
    })
  return (
    <>
      <PageHeader
        title="LLM connections"
        description="Keys of providers, for the playground and for evaluators. They are encrypted and never shown again."
        actions={
          can('project:admin') ? (
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={create}>
              New connection
            </Button>
          ) : (
            can('connections:read') && (
              <NeedsRole doing="change connections" permission="project:admin" level="project" />
            )
          )
        }
      />
      {can('connections:read') || can('project:admin') ? (
        <ConnectionTable onCreate={create} />
      ) : (
        <Forbidden
          doing="see the connections"
          permission="connections:read"
          level="project"
          role={project.role}
        />
      )}
    </>
  )
}

function ConnectionTable({ onCreate }: { onCreate: () => void }) {
  const { project, can } = useProject()
  const connections = useConnections(project.id)
  const remove = useDeleteConnection(project.id)
  const navigate = useNavigate()
  const [state, setState] = useTableState()
  const [removed, setRemoved] = useState<Connection>()
  const [tested, setTested] = useState<Connection>()
  const mayWrite = can('project:admin')
  const columns: Column<Connection>[] = [
    {
      id: 'provider',
      header: 'Name',
      width: 160,
      grows: true,
      required: true,
      sortable: true,
      cell: (connection) => connection.provider,
    },
    {
      id: 'adapter',
      header: 'Provider',
      width: 150,
      sortable: true,
      cell: (connection) => adapterLabel(connection.adapter),
    },
    {
      id: 'secret',
      header: 'Key',
      width: 100,
      cell: (connection) => (
        <code className="font-mono text-sm text-text-3">{connection.displaySecretKey}</code>
      ),
    },
    {
      id: 'base',
      header: 'Base URL',
      width: 200,
      cell: (connection) => connection.baseURL ?? <span className="text-text-3">Default</span>,
    },
    {
      id: 'models',
      header: 'Custom models',
      width: 160,
      cell: (connection) => connection.customModels.join(', '),
    },
    {
      id: 'updated',
      header: 'Changed',
      width: 110,
      sortable: true,
      cell: (connection) => <Time at={connection.updatedAt} />,
    },
    ...(mayWrite
      ? [
          actionsColumn<Connection>((connection) => (
            <RowActions
              label={`Actions for ${connection.provider}`}
              actions={[
                {
                  id: 'test',
                  label: 'Test call',
                  icon: <Zap aria-hidden />,
                  onAction: () => setTested(connection),
                },
                {
                  id: 'replace',
                  label: 'Replace',
                  icon: <Pencil aria-hidden />,
                  onAction: () =>
                    void navigate({
                      to: '/project/$projectId/settings/llm-connections/new',
                      params: { projectId: project.id },
                      search: { like: connection.id },
                    }),
                },
                {
                  id: 'delete',
                  label: 'Delete',
                  icon: <Trash2 aria-hidden />,
                  isDanger: true,
                  startsGroup: true,
                  onAction: () => setRemoved(connection),
                },
              ]}
            />
          )),
        ]
      : []),
  ]
  const rows =
    connections.data &&
    sortRows(connections.data, state, {
      provider: (connection) => connection.provider,
      adapter: (connection) => adapterLabel(connection.adapter),
      updated: (connection) => connection.updatedAt,
    })
  return (
    <>
      <DataTable
        label="LLM connections"
        columns={columns}
        rows={rows}
        rowId={(connection) => connection.id}
        state={state}
        onStateChange={setState}
        maxHeight={tableHeight}
        error={
          connections.isError && (
            <LoadError title="Couldn’t load the connections" query={connections} />
          )
        }
        empty={
          <EmptyState
            icon={<Plug aria-hidden />}
            title="No connections"
            action={mayWrite && <Button onPress={onCreate}>Connect a provider</Button>}
          >
            Connect one to try prompts and evaluate outputs.
          </EmptyState>
        }
      />
      <TestDialog projectId={project.id} connection={tested} onClose={() => setTested(undefined)} />
      <ConfirmChange
        title={`Delete ${removed?.provider ?? ''}?`}
        action="Delete connection"
        change={remove}
        variables={removed?.id}
        onClose={() => setRemoved(undefined)}
        onDone={() => toast('Connection deleted')}
      >
        Evaluators and prompts that use it will stop working. The key is deleted here but stays
        valid at the provider.
      </ConfirmChange>
    </>
  )
}

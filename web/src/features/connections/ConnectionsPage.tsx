import { useNavigate } from '@tanstack/react-router'
import { Pencil, Plug, Plus, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { QueryTable } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { actionsColumn, timeColumn } from '@/shared/table'
import { Button, EmptyState, toast, RowActions } from '@/shared/ui'
import { useConnections, useDeleteConnection, type Connection } from './api/useConnections'
import { DefaultModel } from './components/DefaultModel'
import { TestDialog } from './components/TestDialog'
import { adapterLabel } from './model/connection'

/** The model providers that the project can call. */
export function ConnectionsPage() {
  const { project } = useProject()
  const navigate = useNavigate()
  const create = () =>
    void navigate({
      to: '/project/$projectId/settings/llm-connections/new',
      params: { projectId: project.id },
    })
  return (
    <GuardedPage
      frame="settings"
      title="LLM connections"
      description="Keys of providers, for the playground and for evaluators. They are encrypted and never shown again."
      permission="connections:read"
      doing="see the connections"
      actions={
        <NeedsRole doing="change connections" permission="project:admin">
          <Button variant="primary" icon={<Plus aria-hidden />} onPress={create}>
            New connection
          </Button>
        </NeedsRole>
      }
    >
      <ConnectionTable onCreate={create} />
      <DefaultModel projectId={project.id} />
    </GuardedPage>
  )
}

function ConnectionTable({ onCreate }: { onCreate: () => void }) {
  const { project, can } = useProject()
  const connections = useConnections(project.id)
  const remove = useDeleteConnection(project.id)
  const navigate = useNavigate()
  const [removed, setRemoved] = useState<Connection>()
  const [tested, setTested] = useState<Connection>()
  const mayWrite = can('project:admin')
  return (
    <>
      <QueryTable<Connection>
        label="LLM connections"
        what="the connections"
        query={connections}
        rows={connections.data}
        rowId={(connection) => connection.id}
        columns={[
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
            cell: (connection) =>
              connection.baseURL ?? <span className="text-text-3">Default</span>,
          },
          {
            id: 'models',
            header: 'Custom models',
            width: 160,
            cell: (connection) => connection.customModels.join(', '),
          },
          timeColumn('updated', 'Changed', (connection) => connection.updatedAt, {
            width: 110,
            sortable: true,
          }),
          mayWrite &&
            actionsColumn((connection) => (
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
        ]}
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

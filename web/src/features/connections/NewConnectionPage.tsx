import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Unplug, Zap } from 'lucide-react'
import { useState } from 'react'
import { QueryView } from '@/shared/errors'
import { UnsavedChanges, useForm } from '@/shared/forms'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import {
  Button,
  Checkbox,
  EmptyState,
  FormLayout,
  linkClass,
  PasswordField,
  Select,
  TextField,
  toast,
} from '@/shared/ui'
import {
  useConnections,
  useSaveConnection,
  useTestConnection,
  type Connection,
} from './api/useConnections'
import { TestResult } from './components/TestResult'
import {
  adapters,
  connectionProblems,
  connectionRequest,
  emptyConnection,
  type ConnectionValues,
} from './model/connection'

/** Connects a provider, or replaces a connection: its key is never shown, so it has to be entered again. */
export function NewConnectionPage() {
  const { like } = useSearch({ from: '/_app/project/$projectId/settings/llm-connections/new' })
  return (
    <GuardedPage
      frame="settings"
      title={like ? 'Replace a connection' : 'New LLM connection'}
      description={
        like ? 'Everything is replaced: enter the key and the headers again.' : undefined
      }
      permission="project:admin"
      doing="connect providers"
    >
      {like ? <Replacement connectionId={like} /> : <ConnectionForm initial={emptyConnection} />}
    </GuardedPage>
  )
}

function Replacement({ connectionId }: { connectionId: string }) {
  const { project } = useProject()
  return (
    <QueryView query={useConnections(project.id)} what="the connection" skeleton="w-64">
      {(connections) => {
        const found = connections.find((each) => each.id === connectionId)
        if (found) return <ConnectionForm initial={toValues(found)} />
        return (
          <EmptyState
            icon={<Unplug aria-hidden />}
            title="There is no such connection"
            action={
              <Link
                to="/project/$projectId/settings/llm-connections"
                params={{ projectId: project.id }}
                className={linkClass}
              >
                All connections
              </Link>
            }
          >
            It was probably removed.
          </EmptyState>
        )
      }}
    </QueryView>
  )
}

function toValues(connection: Connection): ConnectionValues {
  const region = connection.config?.region ?? connection.config?.location
  return {
    ...emptyConnection,
    provider: connection.provider,
    adapter: connection.adapter,
    baseURL: connection.baseURL ?? '',
    region: typeof region === 'string' ? region : '',
    customModels: connection.customModels.join('\n'),
    withDefaultModels: connection.withDefaultModels,
    extraHeaders: connection.extraHeaderKeys.map((name) => `${name}: `).join('\n'),
  }
}

const secretHints: Partial<Record<ConnectionValues['adapter'], string>> = {
  bedrock: 'JSON with accessKeyId and secretAccessKey, or with apiKey',
  'google-vertex-ai': 'The JSON key of a service account',
}

function ConnectionForm({ initial }: { initial: ConnectionValues }) {
  const { project } = useProject()
  const save = useSaveConnection(project.id)
  const test = useTestConnection(project.id)
  const navigate = useNavigate()
  const form = useForm<ConnectionValues>({
    initial,
    check: connectionProblems,
    error: save.error,
    draft: { name: 'connection', secrets: ['secretKey', 'extraHeaders'] },
  })
  const [model, setModel] = useState('')
  const { adapter } = form.values
  const toList = () =>
    void navigate({
      to: '/project/$projectId/settings/llm-connections',
      params: { projectId: project.id },
    })
  const tryOut = () =>
    form.tryOut((values) => {
      const { adapter, secretKey, baseURL, extraHeaders, config, customModels } =
        connectionRequest(values)
      const asked = model.trim() || customModels?.[0]
      test.mutate({
        adapter,
        secretKey,
        baseURL,
        extraHeaders,
        config,
        ...(asked !== undefined && asked !== '' && { model: asked }),
      })
    })
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit((values) =>
          save.mutate(connectionRequest(values), {
            onSuccess: () => {
              toast('Connection saved')
              toList()
            },
          }),
        )
      }
      actions={
        <>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            Save connection
          </Button>
          <Button
            icon={<Zap aria-hidden />}
            isPending={test.isPending}
            isDisabled={save.isPending}
            onPress={tryOut}
          >
            Test call
          </Button>
          <Button onPress={toList} isDisabled={save.isPending}>
            Cancel
          </Button>
        </>
      }
    >
      <UnsavedChanges form={form} />
      <Select {...form.field('adapter')} label="Provider" options={adapters} />
      <TextField
        {...form.field('provider')}
        label="Name"
        description="The name of the connection. An existing one with the same name is replaced."
        placeholder="openai"
        maxLength={200}
        autoComplete="off"
      />
      <PasswordField
        {...form.field('secretKey')}
        label="Secret key"
        description={secretHints[adapter]}
        autoComplete="off"
      />
      {(adapter === 'bedrock' || adapter === 'google-vertex-ai') && (
        <TextField
          {...form.field('region')}
          label={adapter === 'bedrock' ? 'Region' : 'Location (optional)'}
          autoComplete="off"
        />
      )}
      <TextField
        {...form.field('baseURL')}
        label={adapter === 'azure' ? 'Base URL' : 'Base URL (optional)'}
        placeholder="https://…"
        type="url"
        autoComplete="off"
        description="For proxies and self-hosted servers. Addresses in the server's own network are refused unless its operator allows them."
      />
      <TextField
        {...form.field('customModels')}
        label="Custom models (optional)"
        rows={2}
        mono
        description="One per line, in addition to the provider’s known models."
      />
      <Checkbox
        isSelected={form.values.withDefaultModels}
        onChange={(withDefaultModels) => form.change({ withDefaultModels })}
      >
        Offer the provider’s known models
      </Checkbox>
      <TextField
        {...form.field('extraHeaders')}
        label="Headers (optional)"
        rows={2}
        mono
        placeholder="X-Team: travel"
        description="One per line. Values are encrypted."
      />
      <TextField
        label="Model for the test call"
        value={model}
        onChange={setModel}
        mono
        autoComplete="off"
        description="The test call asks the model for a one-word reply."
      />
      <TestResult test={test} />
    </FormLayout>
  )
}

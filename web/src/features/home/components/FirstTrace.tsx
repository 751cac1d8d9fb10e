import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { recallKeys } from '@/features/keys'
import { useProject } from '@/shared/currentUser'
import { basePath } from '@/shared/lib/url'
import { Button, Callout, CodeBlock, linkClass, Secret, Spinner, Tabs } from '@/shared/ui'
import { useCreateKey } from '../api/useCreateKey'
import { placeholder, snippets } from '../model/snippets'

/** How to send the first trace: an API key, and code that uses it. */
export function FirstTrace() {
  const { project, can } = useProject()
  const create = useCreateKey(project.id)
  const keys = create.data ?? recallKeys(project.id)
  const [tab, setTab] = useState<'python' | 'js' | 'curl' | 'otel'>('python')
  const code = snippets(location.origin + basePath, keys ?? placeholder)
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <section className="flex flex-col gap-3">
        <h2 className="text-lg font-medium">1. Keys</h2>
        {keys ? (
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <Secret label="Public key" value={keys.publicKey} />
              <Secret label="Secret key" value={keys.secretKey} />
            </div>
            <p className="text-sm text-text-3">
              The secret key is shown until you close this page, and never again. Keep it somewhere
              safe.
            </p>
          </>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            {can('keys:write') ? (
              <>
                <Button
                  variant="primary"
                  icon={<KeyRound aria-hidden />}
                  isPending={create.isPending}
                  onPress={() => create.mutate()}
                >
                  Create keys
                </Button>
                <span className="text-text-3">
                  or paste existing keys into the snippet.{' '}
                  <Link
                    to="/project/$projectId/settings/api-keys"
                    params={{ projectId: project.id }}
                    className={linkClass}
                  >
                    All keys
                  </Link>
                </span>
              </>
            ) : (
              <p className="text-text-2">
                Your role cannot create API keys. Ask an administrator of this project for a key
                pair.
              </p>
            )}
          </div>
        )}
        {create.isError && <Callout tone="danger">{messageOf(create.error)}</Callout>}
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg font-medium">2. Send a trace</h2>
        <Tabs
          label="Language"
          value={tab}
          onChange={setTab}
          tabs={code.map((each) => ({
            id: each.id,
            label: each.label,
            content: <CodeBlock code={each.code} label={`${each.label} snippet`} />,
          }))}
        />
      </section>
      <p
        role="status"
        className="flex items-center gap-2 rounded-md border border-border bg-surface-1 px-3 py-2 text-text-2"
      >
        <Spinner />
        Waiting for the first trace. It will appear here automatically.
      </p>
    </div>
  )
}

import { messageOf } from '@/shared/api'
import { formatDuration } from '@/shared/lib/format'
import { Callout } from '@/shared/ui'
import type { useTestConnection } from '../api/useConnections'

/** The result of a test call. */
export function TestResult({ test }: { test: ReturnType<typeof useTestConnection> }) {
  if (test.isError) return <Callout tone="danger">{messageOf(test.error)}</Callout>
  if (!test.data) return null
  const { ok, message, durationMs } = test.data
  return (
    <Callout
      tone={ok ? 'success' : 'danger'}
      title={ok ? `Responded in ${formatDuration(durationMs)}` : 'The test call failed'}
    >
      <p className="break-words whitespace-pre-wrap">{message}</p>
    </Callout>
  )
}

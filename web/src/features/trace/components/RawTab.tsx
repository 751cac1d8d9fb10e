import { useMemo } from 'react'
import { Value } from '@/io'
import { basePath } from '@/lib/url'
import { CodeBlock } from '@/ui'
import { curlCommand } from '../model/curl'
import type { Detail } from '../model/wire'

/** Everything that is stored about an observation, and the command that reads it from a program. */
export function RawTab({ detail }: { detail: Detail }) {
  const text = useMemo(() => JSON.stringify(detail), [detail])
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Value text={text} field="other" label="Raw" />
      <section className="flex min-w-0 flex-col gap-1">
        <h3 className="font-medium">Read it with curl</h3>
        <CodeBlock
          label="curl command"
          code={curlCommand(location.origin + basePath, detail.traceId, detail.id)}
          wrap
        />
        <p className="text-sm text-text-3">
          The variables are a project’s keys, as SDKs know them. Texts are whole in the answer.
        </p>
      </section>
    </div>
  )
}

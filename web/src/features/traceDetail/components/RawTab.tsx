import { useMemo, useState } from 'react'
import { messageOf } from '@/shared/api'
import { byteLength, Value } from '@/shared/io'
import { basePath } from '@/shared/lib/url'
import { Callout, CodeBlock, SegmentedControl } from '@/shared/ui'
import { useWholeTexts } from '../api/useWholeText'
import { curlCommand } from '../model/curl'
import { missingBytes, rawText } from '../model/raw'
import { callCode, readingCode, type Code } from '../model/sdkCode'
import type { Detail } from '../model/wire'

type RawTabProps = {
  projectId: string
  detail: Detail
  /** Visitors have no API keys to read it with. */
  isVisitor: boolean
}

/** Everything stored about an observation, and code that reads it or repeats the call. */
export function RawTab({ projectId, detail, isVisitor }: RawTabProps) {
  const [isWanted, setWanted] = useState(false)
  const { whole, load } = useWholeTexts(projectId, detail, isWanted)
  const text = useMemo(() => rawText(detail, whole.data), [detail, whole.data])
  const missing = whole.data ? 0 : missingBytes(detail)
  const server = location.origin + basePath
  const reading: Code[] = [
    { id: 'curl', label: 'curl', code: curlCommand(server, detail.traceId, detail.id) },
    ...readingCode(server, detail.traceId, detail.id),
  ]
  const call = useMemo(() => callCode(detail), [detail])
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Value
        text={text}
        field="other"
        label="Raw"
        size={missing > 0 ? byteLength(text) + missing : undefined}
        onLoadRest={() => (isWanted ? void whole.refetch() : setWanted(true))}
        loadWhole={async () => rawText(detail, await load())}
        isLoadingRest={isWanted && whole.isFetching}
      />
      {whole.isError && (
        <Callout tone="danger">Couldn’t load the rest: {messageOf(whole.error)}</Callout>
      )}
      {!isVisitor && (
        <Codes title="Fetch with the SDK" codes={reading}>
          The variables are the project’s API keys, as in the SDKs. The response contains the full
          texts.
        </Codes>
      )}
      {call.length > 0 && (
        <Codes title="Reproduce this call" codes={call}>
          Uses the recorded messages and settings. Keys come from the environment.
        </Codes>
      )}
    </div>
  )
}

type CodesProps = { title: string; codes: readonly Code[]; children: React.ReactNode }

function Codes({ title, codes, children }: CodesProps) {
  const [chosen, setChosen] = useState(codes[0]?.id ?? '')
  const code = codes.find(({ id }) => id === chosen) ?? codes[0]
  if (!code) return null
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        <SegmentedControl
          label={title}
          options={codes.map(({ id, label }) => ({ id, label }))}
          value={code.id}
          onChange={setChosen}
        />
      </div>
      <CodeBlock label={`${title}: ${code.label}`} code={code.code} wrap />
      <p className="text-sm text-text-3">{children}</p>
    </section>
  )
}

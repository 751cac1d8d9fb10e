import { CornerDownRight, TriangleAlert } from 'lucide-react'
import { Badge } from '@/shared/ui'
import { Markdown } from '../markdown/Markdown'
import { MediaView } from '../media/MediaView'
import type { Part, ToolResultPart } from '../messages/types'
import { JsonBlock } from './JsonBlock'

/** What a tool returned. */
export function ToolResultView({ result }: { result: ToolResultPart }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-sm text-text-3">
        <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
        Result
        {result.isError && (
          <Badge tone="danger" icon={<TriangleAlert aria-hidden />}>
            Error
          </Badge>
        )}
        {result.name !== undefined && (
          <span className="truncate font-mono text-xs">{result.name}</span>
        )}
        {result.callId !== undefined && (
          <span className="truncate font-mono text-xs">{result.callId}</span>
        )}
      </div>
      {result.content.length === 0 && <p className="text-text-3">Nothing</p>}
      {result.content.map((part, at) => (
        // Parts have no identity other than their index.
        // oxlint-disable-next-line react/no-array-index-key
        <Content key={at} part={part} />
      ))}
    </div>
  )
}

function Content({ part }: { part: Part }) {
  switch (part.kind) {
    case 'text':
      return /^\s*[[{]/.test(part.text) ? (
        <JsonBlock text={part.text} label="Result" />
      ) : (
        <Markdown text={part.text} />
      )
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return <MediaView part={part} />
    case 'other':
      return <JsonBlock text={part.json} label="Result" />
    case 'thinking':
      return <Markdown text={part.text} />
    case 'toolResult':
      return <ToolResultView result={part} />
    case 'toolCall':
      return <JsonBlock text={part.arguments} label={part.name} />
  }
}

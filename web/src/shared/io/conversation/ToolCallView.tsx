import { Wrench } from 'lucide-react'
import type { ToolCallPart, ToolResultPart } from '../messages/types'
import { JsonBlock } from './JsonBlock'
import { ToolResultView } from './ToolResultView'

type ToolCallViewProps = { call: ToolCallPart; result: ToolResultPart | undefined }

/** A tool call: name, arguments and, if known, the result. */
export function ToolCallView({ call, result }: ToolCallViewProps) {
  return (
    <div className="flex min-w-0 flex-col rounded-md border border-border">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 px-2 py-1 text-sm">
        <Wrench aria-hidden className="size-3.5 shrink-0 text-type-tool" />
        <span className="font-mono font-medium [overflow-wrap:anywhere]">{call.name}</span>
        {call.id !== undefined && (
          <span className="truncate font-mono text-xs text-text-3">{call.id}</span>
        )}
      </div>
      <div className="border-t border-border p-2">
        <JsonBlock text={call.arguments} label={`Arguments of ${call.name}`} />
      </div>
      {result && (
        <div className="border-t border-border p-2">
          <ToolResultView result={result} />
        </div>
      )}
    </div>
  )
}

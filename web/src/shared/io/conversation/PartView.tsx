import { Markdown } from '../markdown/Markdown'
import { MediaView } from '../media/MediaView'
import type { Pairs } from '../messages/pairs'
import type { Part } from '../messages/types'
import { JsonBlock } from './JsonBlock'
import { ThinkingView } from './ThinkingView'
import { ToolCallView } from './ToolCallView'
import { ToolResultView } from './ToolResultView'

/** A part of a message, rendered by kind. */
export function PartView({ part, pairs }: { part: Part; pairs: Pairs }) {
  switch (part.kind) {
    case 'text':
      return <Markdown text={part.text} />
    case 'thinking':
      return <ThinkingView part={part} />
    case 'toolCall':
      return <ToolCallView call={part} result={pairs.resultOf.get(part)} />
    case 'toolResult':
      return <ToolResultView result={part} />
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return <MediaView part={part} />
    case 'other':
      return <JsonBlock text={part.json} label="Part" />
  }
}

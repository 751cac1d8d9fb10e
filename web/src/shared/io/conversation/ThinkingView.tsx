import { Brain } from 'lucide-react'
import { formatExact } from '@/shared/lib/format'
import { Markdown } from '../markdown/Markdown'
import type { ThinkingPart } from '../messages/types'

/** What a model thought before it answered; folded at first. */
export function ThinkingView({ part }: { part: ThinkingPart }) {
  if (part.isHidden)
    return (
      <p className="flex items-center gap-1.5 text-sm text-text-3">
        <Brain aria-hidden className="size-3.5" /> Thinking (hidden by the provider)
      </p>
    )
  return (
    <details className="min-w-0 rounded-md border border-border bg-surface-1">
      <summary className="flex cursor-default items-center gap-1.5 px-2 py-1 text-sm text-text-3 select-none">
        <Brain aria-hidden className="size-3.5" /> Thinking, {formatExact(part.text.length)}{' '}
        characters
      </summary>
      <div className="border-t border-border p-2 text-text-2">
        <Markdown text={part.text} />
      </div>
    </details>
  )
}

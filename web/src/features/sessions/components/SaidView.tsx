import { useState } from 'react'
import { ConversationView, Value } from '@/io'
import { countOf } from '@/lib/format'
import { Button } from '@/ui'
import type { Said } from '../model/said'

type SaidViewProps = {
  said: Said
  field: 'input' | 'output'
  text: string
  /** How many bytes are stored, if the text is only the beginning of them. */
  size: number | undefined
}

/** What was asked or answered: as messages, or as a value if it is something else. */
export function SaidView({ said, field, text, size }: SaidViewProps) {
  const [isWhole, setWhole] = useState(false)
  if (said.kind === 'nothing') return null
  if (said.kind === 'value' || isWhole) return <Value field={field} text={text} size={size} />
  return (
    <div
      role="group"
      aria-label={field === 'input' ? 'Asked' : 'Answered'}
      className="min-w-0 rounded-md border border-border bg-surface-0"
    >
      {(said.before > 0 || size !== undefined) && (
        <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-1 text-sm text-text-3">
          {said.before > 0 && `${countOf(said.before, 'message')} before, as above`}
          <Button size="sm" variant="ghost" onPress={() => setWhole(true)}>
            Show the whole {field}
          </Button>
        </div>
      )}
      <ConversationView conversation={{ messages: said.messages, tools: [] }} />
    </div>
  )
}

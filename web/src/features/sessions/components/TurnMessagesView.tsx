import { useState } from 'react'
import { TextValue } from '@/features/traceDetail'
import { ConversationView } from '@/shared/io'
import { countOf } from '@/shared/lib/format'
import { Button } from '@/shared/ui'
import type { Detail } from '../api/useChatSession'
import type { TurnMessages } from '../model/turnMessages'

type SaidViewProps = {
  projectId: string
  detail: Pick<Detail, 'id' | 'traceId' | 'updatedAt' | 'texts' | 'cut'>
  said: TurnMessages
  field: 'input' | 'output'
  /** Which of the observation's texts it is. */
  text: keyof Detail['texts']
}

/** A question or an answer: as messages, or as a plain value if it is something else. */
export function TurnMessagesView({ projectId, detail, said, field, text }: SaidViewProps) {
  const [isWhole, setWhole] = useState(false)
  if (said.kind === 'nothing') return null
  if (said.kind === 'value' || isWhole)
    return (
      <TextValue
        projectId={projectId}
        detail={detail}
        field={text}
        kind={field}
        isWhole={isWhole}
      />
    )
  return (
    <div
      role="group"
      aria-label={field === 'input' ? 'Asked' : 'Answered'}
      className="min-w-0 rounded-md border border-border bg-surface-0"
    >
      {(said.before > 0 || detail.cut[text] !== undefined) && (
        <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-1 text-sm text-text-3">
          {said.before > 0 && `${countOf(said.before, 'message')} earlier`}
          <Button size="sm" variant="ghost" onPress={() => setWhole(true)}>
            Show the whole {field}
          </Button>
        </div>
      )}
      <ConversationView conversation={{ messages: said.messages, tools: [] }} />
    </div>
  )
}

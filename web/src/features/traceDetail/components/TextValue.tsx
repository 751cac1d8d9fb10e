import { useState } from 'react'
import { Value, type FieldKind } from '@/shared/io'
import { messageOf } from '@/shared/api'
import { Callout } from '@/shared/ui'
import { useWholeText } from '../api/useWholeText'
import type { Detail, TextField } from '../model/wire'

type TextValueProps = {
  projectId: string
  detail: Pick<Detail, 'id' | 'traceId' | 'updatedAt' | 'texts' | 'cut'>
  field: TextField
  kind: FieldKind
  label?: string
  /** Load the full text right away. */
  isWhole?: boolean
}

/** A text of an observation; the rest of a long one is loaded on demand. Renders nothing if the text is not set. */
export function TextValue({
  projectId,
  detail,
  field,
  kind,
  label,
  isWhole = false,
}: TextValueProps) {
  const [isWanted, setWanted] = useState(isWhole)
  const beginning = detail.texts[field]
  const { whole, load } = useWholeText(
    { projectId, traceId: detail.traceId, observationId: detail.id, field },
    { updatedAt: detail.updatedAt, beginning: beginning ?? '' },
    isWanted && detail.cut[field] !== undefined,
  )
  if (beginning === null) return null
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Value
        text={whole.data ?? beginning}
        field={kind}
        label={label}
        size={whole.data === undefined ? detail.cut[field]?.bytes : undefined}
        onLoadRest={() => (isWanted ? void whole.refetch() : setWanted(true))}
        loadWhole={load}
        isLoadingRest={isWanted && whole.isFetching}
      />
      {whole.isError && (
        <Callout tone="danger">Couldn’t load the rest: {messageOf(whole.error)}</Callout>
      )}
    </div>
  )
}

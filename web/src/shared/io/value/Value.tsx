import { useEffect, useEffectEvent, useMemo } from 'react'
import { formatBytes } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { Button, CopyButton, SegmentedControl, type Option } from '@/shared/ui'
import { ConversationView } from '../conversation/ConversationView'
import { JsonViewer } from '../json/JsonViewer'
import type { Rest } from '../json/rest'
import { Markdown } from '../markdown/Markdown'
import { detectContent, longestConversation, type ContentKind } from './model/contentKind'
import { modePreference, type FieldKind, type Mode } from './model/modes'
import { byteLength } from './model/byteLength'
import { RawText } from './RawText'

const modes: Option<Mode>[] = [
  { id: 'formatted', label: 'Formatted' },
  { id: 'json', label: 'JSON' },
  { id: 'raw', label: 'Raw' },
]

type ValueProps = {
  /** The value as stored, or its beginning. */
  text: string
  /** The display mode is remembered per kind of field. */
  field: FieldKind
  /** The heading; by default the name of the field. */
  label?: string
  /** The stored size in bytes, if the text is only the beginning. */
  size?: number
  onLoadRest?: () => void
  /** Loads all of a text that is only the beginning, to copy it. */
  loadWhole?: () => Promise<string>
  isLoadingRest?: boolean
}

const labels: Record<FieldKind, string> = {
  input: 'Input',
  output: 'Output',
  metadata: 'Metadata',
  other: 'Value',
}

/** An input, an output or metadata: formatted for reading, as JSON, or as stored. */
export function Value(props: ValueProps) {
  const { text, field, size, label = labels[field] } = props
  const preference = modePreference(field)
  const mode = usePreference(preference)
  const bytes = useMemo(() => byteLength(text), [text])
  const isCut = size !== undefined && size > bytes
  const look = useMemo(() => detectContent(text, isCut), [text, isCut])
  const rest: Rest = {
    onLoad: props.onLoadRest,
    isLoading: props.isLoadingRest,
    loadWhole: props.loadWhole,
  }
  // The beginning of a conversation is its oldest part; people look for the newest.
  const isOldPart = isCut && mode === 'formatted' && look.kind === 'conversation'
  const isCompleted = isOldPart && size <= longestConversation
  const complete = useEffectEvent(() => props.onLoadRest?.())
  useEffect(() => {
    if (isCompleted) complete()
  }, [isCompleted])
  return (
    <section
      data-value
      aria-label={label}
      className="flex min-w-0 flex-col rounded-md border border-border bg-surface-0"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-2 border-b border-border px-3 py-1.5">
        <h3 className="font-medium">{label}</h3>
        <span className="tabular text-sm text-text-3">{formatBytes(size ?? bytes)}</span>
        <span className="ml-auto flex items-center gap-1">
          <SegmentedControl
            label={`How to show ${label.toLowerCase()}`}
            options={modes}
            value={mode}
            onChange={preference.set}
          />
          {isCut && !props.loadWhole ? (
            <CopyButton text={text} label={`Copy the shown part of ${label.toLowerCase()}`} />
          ) : (
            <CopyButton
              text={isCut && props.loadWhole ? props.loadWhole : text}
              label={`Copy ${label.toLowerCase()} as stored`}
            />
          )}
        </span>
      </div>
      {isOldPart && !isCompleted && (
        <p className="border-b border-border px-3 py-1.5 text-sm text-text-2">
          Only the oldest messages are here: the newest are in the rest, which is not loaded.
        </p>
      )}
      <Body mode={mode} look={look} text={text} label={label} isCut={isCut} rest={rest} />
      {isCut && (
        <div className="flex flex-wrap items-center gap-2 border-t border-border px-3 py-1.5 text-sm text-text-2">
          Shortened: {formatBytes(bytes)} of {formatBytes(size)}
          {props.onLoadRest && (
            <Button size="sm" isPending={props.isLoadingRest} onPress={props.onLoadRest}>
              Load the rest
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

type BodyProps = {
  mode: Mode
  look: ContentKind
  text: string
  label: string
  isCut: boolean
  rest: Rest
}

function Body({ mode, look, text, label, isCut, rest }: BodyProps) {
  if (text === '') return <p className="p-3 text-text-3">Nothing</p>
  if (mode === 'raw') return <RawText text={text} label={label} />
  if (mode === 'json' || look.kind === 'json')
    return <JsonViewer text={text} label={label} isCut={isCut} rest={rest} />
  switch (look.kind) {
    case 'conversation':
      return <ConversationView conversation={look.conversation} isCut={isCut} />
    case 'text':
      return (
        <div className="p-3">
          <Markdown text={look.text} />
        </div>
      )
  }
}

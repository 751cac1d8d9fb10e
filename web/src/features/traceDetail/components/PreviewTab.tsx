import { useMemo, type ReactNode } from 'react'
import { shownTexts } from '@/shared/addTo'
import { Anchored, type CommentSubject } from '@/shared/comments'
import { readToolsText, ToolList } from '@/shared/io'
import { Callout } from '@/shared/ui'
import type { Detail, TextField } from '../model/wire'
import { TextValue } from './TextValue'
import { UsageTable } from './UsageTable'

type PreviewTabProps = {
  projectId: string
  detail: Detail
  /** Shows the input and output of the whole trace, if it has its own. */
  isTrace: boolean
  subject: CommentSubject
  onOpenComments: () => void
  /** What is said about the output, by the field it is in. */
  afterOutput?: (field: TextField) => ReactNode
}

/** The input and output, and the settings of the call. */
export function PreviewTab(props: PreviewTabProps) {
  const { projectId, detail, isTrace, subject, onOpenComments } = props
  const { texts } = detail
  const { input, output } = shownTexts(texts, isTrace)
  const common = { projectId, detail }
  const isEmpty = texts[input] === null && texts[output] === null
  const anchored = (field: 'input' | 'output', from: TextField, value: ReactNode) => {
    const text = texts[from]
    if (text === null) return null
    return (
      <Anchored subject={subject} field={field} text={text} onOpenComments={onOpenComments}>
        {value}
      </Anchored>
    )
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {texts.statusMessage !== null && texts.statusMessage !== '' && (
        <Callout
          tone={
            detail.level === 'ERROR' ? 'danger' : detail.level === 'WARNING' ? 'warning' : 'neutral'
          }
          title={detail.level === 'ERROR' ? 'Error' : 'Status'}
        >
          <p dir="auto" className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
            {texts.statusMessage}
          </p>
        </Callout>
      )}
      {isEmpty && <p className="text-text-3">No input or output was recorded.</p>}
      {anchored('input', input, <TextValue {...common} field={input} kind="input" label="Input" />)}
      {anchored(
        'output',
        output,
        <TextValue {...common} field={output} kind="output" label="Output" />,
      )}
      {texts[output] !== null && props.afterOutput?.(output)}
      {!isTrace && <UsageTable detail={detail} />}
      {!isTrace && (
        <>
          <TextValue {...common} field="modelParameters" kind="other" label="Model parameters" />
          <Tools {...common} />
          <TextValue {...common} field="toolCalls" kind="other" label="Tool calls" />
          <TextValue
            {...common}
            field="experimentExpectedOutput"
            kind="other"
            label="Expected output"
          />
        </>
      )}
      <TextValue
        {...common}
        field={isTrace ? 'traceMetadata' : 'metadata'}
        kind="metadata"
        label="Metadata"
      />
    </div>
  )
}

/** The tools that a model was offered; those it did not call are dimmed. */
function Tools({ projectId, detail }: { projectId: string; detail: Detail }) {
  const text = detail.texts.toolDefinitions
  const tools = useMemo(() => (text === null ? [] : readToolsText(text)), [text])
  const called = useMemo(() => new Set(detail.calledToolNames), [detail])
  if (tools.length === 0 || detail.cut.toolDefinitions)
    return (
      <TextValue
        projectId={projectId}
        detail={detail}
        field="toolDefinitions"
        kind="other"
        label="Tool definitions"
      />
    )
  return (
    <section aria-label="Tools" className="min-w-0 rounded-md border border-border">
      <ToolList tools={tools} called={called} />
    </section>
  )
}

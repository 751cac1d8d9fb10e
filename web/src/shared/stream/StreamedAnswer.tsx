import { RotateCcw, Square } from 'lucide-react'
import { messageOf } from '@/shared/api'
import { Button, Callout, CopyButton, Spinner } from '@/shared/ui'
import type { StreamStatus } from './useStream'

type StreamedAnswerProps = {
  label: string
  text: string
  status: StreamStatus
  error?: unknown
  /** What it took, known at the end: "132 tokens, $0.0004, 1.2 s". */
  usage?: string
  onCancel: () => void
  onRetry?: () => void
}

/** A text while it arrives: with a way to stop it, what it took, and what went wrong, below what has arrived. */
export function StreamedAnswer(props: StreamedAnswerProps) {
  const { label, text, status, error, usage } = props
  const isRunning = status === 'running'
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-6 items-center gap-2">
        <h3 className="text-sm font-medium text-text-2">{label}</h3>
        {/* The end is announced, not each word. */}
        <span role="status" className="flex items-center gap-1.5 text-sm text-text-3">
          {isRunning && <Spinner />}
          {said[status]}
          {status === 'done' && usage !== undefined && ` ${usage}`}
        </span>
        <span className="ml-auto flex items-center gap-1">
          {isRunning && (
            <Button size="sm" icon={<Square aria-hidden />} onPress={props.onCancel}>
              Stop
            </Button>
          )}
          {!isRunning && text !== '' && <CopyButton text={text} />}
        </span>
      </div>
      <div
        aria-busy={isRunning}
        dir="auto"
        className="min-h-16 rounded-md border border-border bg-surface-1 px-2.5 py-1.5 break-words whitespace-pre-wrap"
      >
        {text}
        {isRunning && (
          <span
            aria-hidden
            className="ml-px inline-block h-3.5 w-1.5 animate-pulse bg-text-3 align-text-bottom"
          />
        )}
      </div>
      {status === 'failed' && (
        <Callout tone="danger">
          <span className="flex flex-wrap items-center gap-2">
            {messageOf(error)}
            {props.onRetry && (
              <Button size="sm" icon={<RotateCcw aria-hidden />} onPress={props.onRetry}>
                Try again
              </Button>
            )}
          </span>
        </Callout>
      )}
    </section>
  )
}

const said: Record<StreamStatus, string> = {
  idle: '',
  running: 'Answering…',
  done: 'Complete.',
  cancelled: 'Stopped.',
  failed: 'Failed.',
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Diff } from '@/shared/diff'
import { StreamedAnswer } from '@/shared/stream'
import { Button, Callout, linkClass } from '@/shared/ui'
import type { Run } from '../api/useRuns'
import { textOf } from '../model/gather'
import type { Original } from '../model/state'
import { figuresOf } from './figures'

type RunViewProps = {
  projectId: string
  label: string
  run: Run
  original: Original | null
  onStop: () => void
  onRetry: () => void
  /** Adds the answer to the messages. */
  onTake: () => void
  /** Does that, with the mocked results of its calls, and runs again. */
  onContinue: (() => void) | undefined
}

/** An answer, while it arrives and afterwards. */
export function RunView(props: RunViewProps) {
  const { projectId, label, run, original } = props
  const { answer, status } = run
  const [isCompared, setIsCompared] = useState(false)
  if (run.isWaiting && status === 'running')
    return (
      <p role="status" className="text-sm text-text-3">
        {label}: waits for other runs to finish.
      </p>
    )
  const text = textOf(answer)
  const isOver = status !== 'running'
  const compared = original !== null && original.text !== '' && isOver && text !== ''
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {answer.restarted !== undefined && (
        <Callout tone="neutral">The model was asked again. {answer.restarted}</Callout>
      )}
      {answer.reasoning !== '' && (
        <details className="min-w-0 text-sm">
          <summary className="cursor-default text-text-3">Reasoning</summary>
          <p dir="auto" className="pt-1 break-words whitespace-pre-wrap text-text-2">
            {answer.reasoning}
          </p>
        </details>
      )}
      <StreamedAnswer
        label={label}
        text={text}
        status={status}
        error={run.error}
        usage={figuresOf(answer)}
        onCancel={props.onStop}
        onRetry={props.onRetry}
      />
      {status === 'done' && answer.finish === 'length' && (
        <Callout tone="warning">
          The answer ended at the limit of output tokens, before it was complete.
        </Callout>
      )}
      {answer.dropped.length > 0 && (
        <Callout tone="neutral">
          The model does not take {answer.dropped.join(', ')}, so it was not sent.
        </Callout>
      )}
      {isOver && (
        <div className="flex flex-wrap items-center gap-1">
          {answer.trace && (
            <Link
              to="/project/$projectId/traces/$traceId"
              params={{ projectId, traceId: answer.trace.traceId }}
              search={{ observation: answer.trace.observationId }}
              className={`${linkClass} mr-2 text-sm`}
            >
              Trace
            </Link>
          )}
          {text !== '' && (
            <Button size="sm" variant="ghost" onPress={props.onTake}>
              Add to messages
            </Button>
          )}
          {props.onContinue && (
            <Button size="sm" variant="ghost" onPress={props.onContinue}>
              Continue with mocked results
            </Button>
          )}
          {compared && (
            <Button size="sm" variant="ghost" onPress={() => setIsCompared(!isCompared)}>
              {isCompared ? 'Hide difference' : 'Compare with the original'}
            </Button>
          )}
        </div>
      )}
      {compared && isCompared && (
        <Diff
          label={label}
          before={original.text}
          after={text}
          names={['Original', 'New']}
          layout="inline"
        />
      )}
    </div>
  )
}

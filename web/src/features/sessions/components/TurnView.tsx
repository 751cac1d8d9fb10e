import { Link } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { useMemo } from 'react'
import { messageOf } from '@/shared/api'
import { formatDuration, formatScore } from '@/shared/lib/format'
import {
  Badge,
  Callout,
  Duration,
  ErrorCount,
  linkClass,
  Money,
  Time,
  useInView,
} from '@/shared/ui'
import { useWholeText } from '@/features/traceDetail'
import { useTurn, type Detail, type TraceRow } from '../api/useChatSession'
import { readTurnMessages } from '../model/turnMessages'
import type { SessionTurn } from '../model/turns'
import { TurnMessagesView } from './TurnMessagesView'

type TurnViewProps = { projectId: string; turn: SessionTurn; number: number }

/** A trace of a session: question and answer. Previews are shown until it is scrolled into view. */
export function TurnView({ projectId, turn, number }: TurnViewProps) {
  const { row, idle, costSoFar } = turn
  const [element, isNear] = useInView<HTMLLIElement>()
  const detail = useTurn(projectId, row, isNear)
  const name = row.traceName || row.name || row.traceId
  return (
    <li ref={element} className="flex min-w-0 flex-col gap-3">
      {idle !== undefined && (
        <p className="flex items-center gap-2 text-sm text-text-3 before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          <Hourglass aria-hidden className="size-3.5" />
          {formatDuration(idle)} without a trace
        </p>
      )}
      <article
        aria-label={`Trace ${number}: ${name.slice(0, 100)}`}
        className="flex min-w-0 flex-col gap-2"
      >
        <header className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="tabular text-sm text-text-3">{number}</span>
          <Link
            to="/project/$projectId/traces/$traceId"
            params={{ projectId, traceId: row.traceId }}
            className={`${linkClass} max-w-full min-w-0 truncate font-medium`}
          >
            <bdi>{name}</bdi>
          </Link>
          <span className="text-sm text-text-3">
            <Time at={row.startTime} absolute />
          </span>
          <span className="text-sm text-text-2">
            <Duration milliseconds={row.latency === null ? null : row.latency * 1000} />
          </span>
          <span className="text-sm text-text-2">
            <Money amount={row.totalCost} />
          </span>
          <ErrorCount count={row.errors} />
          <Scores scores={row.scores} />
          <span className="ml-auto text-sm text-text-3">
            <Money amount={costSoFar} /> so far
          </span>
        </header>
        {detail.data ? (
          <TurnTexts projectId={projectId} detail={detail.data} />
        ) : (
          <Previews row={row} isLoading={detail.isFetching} />
        )}
        {detail.isError && (
          <Callout tone="danger">Couldn’t load the whole text: {messageOf(detail.error)}</Callout>
        )}
      </article>
    </li>
  )
}

function TurnTexts({ projectId, detail }: { projectId: string; detail: Detail }) {
  const { texts } = detail
  const input = texts.traceInput === null ? 'input' : 'traceInput'
  const output = texts.traceOutput === null ? 'output' : 'traceOutput'
  const asked = useMessages(projectId, detail, input, 'user')
  const answered = useMessages(projectId, detail, output, 'assistant')
  if (asked.kind === 'nothing' && answered.kind === 'nothing')
    return <p className="text-text-3">No input or output was sent.</p>
  return (
    <>
      <TurnMessagesView
        projectId={projectId}
        detail={detail}
        said={asked}
        field="input"
        text={input}
      />
      <TurnMessagesView
        projectId={projectId}
        detail={detail}
        said={answered}
        field="output"
        text={output}
      />
      {detail.statusMessage !== null && detail.level === 'ERROR' && (
        <Callout tone="danger">{detail.statusMessage}</Callout>
      )}
    </>
  )
}

/** Longer conversations are completed on demand. */
const longestCompleted = 1_000_000

/** What a text says that is new. The new messages are the last ones: the rest of a shortened conversation is loaded. */
function useMessages(
  projectId: string,
  detail: Detail,
  field: keyof Detail['texts'],
  by: 'user' | 'assistant',
) {
  const { id, traceId, updatedAt, texts } = detail
  const beginning = texts[field]
  const bytes = detail.cut[field]?.bytes
  const first = useMemo(
    () => readTurnMessages(beginning, by, bytes !== undefined),
    [beginning, by, bytes],
  )
  const { whole } = useWholeText(
    { projectId, traceId, observationId: id, field },
    { updatedAt, beginning: beginning ?? '' },
    bytes !== undefined && bytes <= longestCompleted && first.kind === 'messages',
  )
  return useMemo(
    () => (whole.data === undefined ? first : readTurnMessages(whole.data, by, false)),
    [whole.data, first, by],
  )
}

function Previews({ row, isLoading }: { row: TraceRow; isLoading: boolean }) {
  return (
    <div
      aria-busy={isLoading}
      className="flex min-h-24 min-w-0 flex-col gap-2 rounded-md border border-border p-3 text-text-2"
    >
      {row.inputPreview !== null && <p className="line-clamp-3 break-words">{row.inputPreview}</p>}
      {row.outputPreview !== null && (
        <p className="line-clamp-3 break-words">{row.outputPreview}</p>
      )}
    </div>
  )
}

function Scores({ scores }: { scores: TraceRow['scores'] }) {
  return Object.entries(scores).map(([name, value]) => (
    <Badge key={name} tone="accent">
      {name} {formatScore(value) ?? '–'}
    </Badge>
  ))
}

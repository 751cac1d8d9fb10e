import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Maximize2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonClass, CopyButton, IconButton, Identifier, SidePanel, Spinner } from '@/shared/ui'

const PeekTrace = lazy(() =>
  import('./PeekTrace').then((module) => ({ default: module.PeekTrace })),
)

type PeekProps = {
  projectId: string
  traceId: string
  observationId: string | undefined
  find: string | undefined
  /** The list of the row, for the page of the trace. */
  list: string
  scoring: string | undefined
  onWalk: ((by: 1 | -1) => void) | undefined
  onClose: () => void
}

/** The trace of a row, beside it. J and K in the table step on. */
export function Peek(props: PeekProps) {
  const { projectId, traceId, observationId, find, list, scoring, onWalk, onClose } = props
  return (
    <SidePanel
      label="Selected trace"
      onClose={onClose}
      header={
        <>
          <IconButton
            size="sm"
            label="Previous (K)"
            icon={<ChevronUp aria-hidden />}
            isDisabled={!onWalk}
            onPress={() => onWalk?.(-1)}
          />
          <IconButton
            size="sm"
            label="Next (J)"
            icon={<ChevronDown aria-hidden />}
            isDisabled={!onWalk}
            onPress={() => onWalk?.(1)}
          />
          <Identifier id={traceId} className="pl-1 text-text-3" />
          <CopyButton text={traceId} label="Copy trace id" />
          <Link
            to="/project/$projectId/traces/$traceId"
            params={{ projectId, traceId }}
            search={{ observation: observationId, find, list, scoring }}
            className={`${buttonClass('ghost', 'sm')} ml-auto`}
          >
            <Maximize2 aria-hidden />
            Open
          </Link>
        </>
      }
    >
      <Suspense
        fallback={
          <p role="status" className="flex items-center gap-2 p-3 text-text-3">
            <Spinner /> Loading the trace…
          </p>
        }
      >
        <PeekTrace projectId={projectId} traceId={traceId} onWalk={onWalk} />
      </Suspense>
    </SidePanel>
  )
}

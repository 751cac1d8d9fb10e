import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react'
import { lazy, Suspense, type CSSProperties, type KeyboardEvent } from 'react'
import {
  buttonClass,
  CopyButton,
  IconButton,
  Identifier,
  Spinner,
  Splitter,
  useSplit,
} from '@/shared/ui'

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

/**
 * The trace of a row, over the right side of the table: nothing below it moves. J and K in the table step on; on narrow
 * screens it covers the page.
 */
export function Peek(props: PeekProps) {
  const { projectId, traceId, observationId, find, list, scoring, onWalk, onClose } = props
  const split = useSplit('almanac.peek.width', { min: 30, max: 85, initial: 55 })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <div
      className="fixed inset-0 z-drawer flex min-h-0 bg-surface-0 md:absolute md:left-auto md:w-(--peek-width) md:shadow-pop"
      style={{ '--peek-width': `${split.percent}%` } as CSSProperties}
    >
      <Splitter
        label="Width of the panel"
        split={split}
        pane="around"
        className="hidden md:block"
      />
      {/* Keys of what is inside come here only if nothing there has taken them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        aria-label="Selected trace"
        onKeyDown={onKeyDown}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        <header className="flex h-10 shrink-0 items-center gap-1 border-b border-border px-2">
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
          <IconButton size="sm" label="Close (Esc)" icon={<X aria-hidden />} onPress={onClose} />
        </header>
        <Suspense
          fallback={
            <p role="status" className="flex items-center gap-2 p-3 text-text-3">
              <Spinner /> Loading the trace…
            </p>
          }
        >
          <PeekTrace projectId={projectId} traceId={traceId} onWalk={onWalk} />
        </Suspense>
      </section>
    </div>
  )
}

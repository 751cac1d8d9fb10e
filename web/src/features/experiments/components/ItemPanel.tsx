import { ArrowLeft, ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type CSSProperties, type KeyboardEvent } from 'react'
import {
  buttonClass,
  Button,
  IconButton,
  Identifier,
  Spinner,
  Splitter,
  useSplit,
} from '@/shared/ui'
import type { ComparedItem, Comparison } from '../api/useComparison'
import { ItemDetail } from './ItemDetail'

const PanelTrace = lazy(() =>
  import('./PanelTrace').then((module) => ({ default: module.PanelTrace })),
)

type ItemPanelProps = {
  projectId: string
  comparison: Comparison
  item: ComparedItem
  /** The trace that is shown instead of the comparison. */
  traceId: string | undefined
  observationId: string | undefined
  onTrace: (traceId: string | undefined, observationId?: string) => void
  onWalk: (by: 1 | -1) => void
  onClose: () => void
}

/** An item in all its runs, or the trace of one of them, over the right side of the table. */
export function ItemPanel(props: ItemPanelProps) {
  const { projectId, comparison, item, traceId, observationId, onTrace, onWalk, onClose } = props
  const split = useSplit('almanac.peek.width', { min: 30, max: 85, initial: 55 })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    if (traceId === undefined) onClose()
    else onTrace(undefined)
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
        aria-label="Selected item"
        onKeyDown={onKeyDown}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        <header className="flex h-10 shrink-0 items-center gap-1 border-b border-border px-2">
          {traceId === undefined ? (
            <>
              <IconButton
                size="sm"
                label="Previous (K)"
                icon={<ChevronUp aria-hidden />}
                onPress={() => onWalk(-1)}
              />
              <IconButton
                size="sm"
                label="Next (J)"
                icon={<ChevronDown aria-hidden />}
                onPress={() => onWalk(1)}
              />
              <Identifier id={item.itemId} className="pl-1 text-text-3" />
            </>
          ) : (
            <>
              <Button
                size="sm"
                variant="ghost"
                icon={<ArrowLeft aria-hidden />}
                onPress={() => onTrace(undefined)}
              >
                Comparison
              </Button>
              <Link
                to="/project/$projectId/traces/$traceId"
                params={{ projectId, traceId }}
                search={{ observation: observationId }}
                className={`${buttonClass('ghost', 'sm')} ml-auto`}
              >
                <Maximize2 aria-hidden />
                Open
              </Link>
            </>
          )}
          <span className={traceId === undefined ? 'ml-auto' : undefined}>
            <IconButton size="sm" label="Close (Esc)" icon={<X aria-hidden />} onPress={onClose} />
          </span>
        </header>
        {traceId === undefined ? (
          <ItemDetail comparison={comparison} item={item} onTrace={onTrace} />
        ) : (
          <Suspense
            fallback={
              <p role="status" className="flex items-center gap-2 p-3 text-text-3">
                <Spinner /> Loading the trace…
              </p>
            }
          >
            <PanelTrace projectId={projectId} traceId={traceId} />
          </Suspense>
        )}
      </section>
    </div>
  )
}

import { ArrowLeft, ChevronDown, ChevronUp, Maximize2 } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { buttonClass, Button, IconButton, Identifier, SidePanel, Spinner } from '@/shared/ui'
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
  return (
    <SidePanel
      label="Selected item"
      onClose={onClose}
      onEscape={traceId === undefined ? onClose : () => onTrace(undefined)}
      header={
        traceId === undefined ? (
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
            <Identifier id={item.itemId} className="mr-auto pl-1 text-text-3" />
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
        )
      }
    >
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
    </SidePanel>
  )
}

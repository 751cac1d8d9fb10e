import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { TracePanel, type TraceState } from '@/features/traceDetail'
import { useProject } from '@/shared/currentUser'
import { EmptyState, IconButton, linkClass } from '@/shared/ui'
import { objectLabel } from '../model/queue'
import type { ReviewItem } from '../model/review'

/** What an item is about: a trace, an observation in its trace, or the traces of a session one after another. */
export function ReviewedObject({ projectId, item }: { projectId: string; item: ReviewItem }) {
  const { can } = useProject()
  const [at, setAt] = useState(0)
  const traceId = item.traceIds[at]
  const count = item.traceIds.length
  if (traceId === undefined)
    return (
      <EmptyState title={`This ${objectLabel(item.objectType).toLowerCase()} is gone`}>
        <code className="break-all">{item.objectId.slice(0, 500)}</code> may have been deleted, or
        not have arrived yet. You can complete the item without values, or skip it.
      </EmptyState>
    )
  return (
    <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {item.objectType === 'SESSION' && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border px-3 py-1 text-sm">
          <span>
            Session{' '}
            {can('traces:read') ? (
              <Link
                to="/project/$projectId/sessions/$sessionId"
                params={{ projectId, sessionId: item.objectId }}
                className={linkClass}
              >
                <bdi>{item.objectId.slice(0, 100)}</bdi>
              </Link>
            ) : (
              <bdi>{item.objectId.slice(0, 100)}</bdi>
            )}
          </span>
          <span className="ml-auto flex items-center gap-1">
            <IconButton
              size="sm"
              label="Previous trace of the session"
              icon={<ChevronLeft aria-hidden />}
              isDisabled={at === 0}
              onPress={() => setAt(at - 1)}
            />
            <span aria-live="polite">
              Trace {at + 1} of {count}
              {item.moreTraces ? ' and more' : ''}
            </span>
            <IconButton
              size="sm"
              label="Next trace of the session"
              icon={<ChevronRight aria-hidden />}
              isDisabled={at === count - 1}
              onPress={() => setAt(at + 1)}
            />
          </span>
        </div>
      )}
      <ShownTrace key={traceId} projectId={projectId} traceId={traceId} item={item} />
    </section>
  )
}

type ShownTraceProps = { projectId: string; traceId: string; item: ReviewItem }

function ShownTrace({ projectId, traceId, item }: ShownTraceProps) {
  const [state, setState] = useState<TraceState>(() => ({
    view: 'tree',
    tab: 'preview',
    ...(item.objectType === 'OBSERVATION' && { observation: item.objectId }),
  }))
  return (
    <TracePanel
      projectId={projectId}
      traceId={traceId}
      state={state}
      onChange={(change) => setState((before) => ({ ...before, ...change }))}
      isScored={false}
    />
  )
}

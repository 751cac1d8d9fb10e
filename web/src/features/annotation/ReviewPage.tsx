import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { CircleCheck, UserLock } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { isBusy, isTyping } from '@/features/traceDetail'
import { ApiError } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { countOf } from '@/shared/lib/format'
import { useSearchState } from '@/shared/lib/useSearchState'
import { Forbidden } from '@/shared/roles'
import { useScoreConfigs } from '@/shared/scoring'
import { Button, buttonClass, EmptyState, linkClass, Skeleton } from '@/shared/ui'
import { useBack } from './api/useBack'
import { useQueue } from './api/useQueues'
import { useNext, useOpened } from './api/useReview'
import { ReviewView } from './components/ReviewView'
import { progressText } from './model/queue'
import type { Review } from './model/review'

type ReviewPageProps = {
  queueId: string
  /** Without one, the next item is looked for. */
  itemId?: string
}

/** Where the items of a queue are reviewed, one after another. */
export function ReviewPage({ queueId, itemId }: ReviewPageProps) {
  const { project, can } = useProject()
  const isAllowed = can('queues:annotate')
  const queue = useQueue(project.id, queueId, isAllowed)
  const name = queue.data?.name ?? 'Annotation queue'
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <title>{`${name.slice(0, 100)} · Almanac`}</title>
      <header className="flex min-w-0 shrink-0 items-center gap-2 border-b border-border px-3 py-1.5">
        <h1 className="min-w-0 truncate text-lg font-semibold">
          <Link
            to="/project/$projectId/annotation-queues/$queueId"
            params={{ projectId: project.id, queueId }}
            className="hover:underline"
          >
            <bdi>{name.slice(0, 300)}</bdi>
          </Link>
        </h1>
      </header>
      {!isAllowed ? (
        <Forbidden doing="review items" permission="queues:annotate" />
      ) : itemId === undefined ? (
        <Next projectId={project.id} queueId={queueId} />
      ) : (
        <Opened key={itemId} projectId={project.id} queueId={queueId} itemId={itemId} />
      )}
    </div>
  )
}

type NextProps = { projectId: string; queueId: string }

/** Looks for the next item, and goes there. */
function Next({ projectId, queueId }: NextProps) {
  const [{ skipped }] = useSearchState()
  const isSkipped = skipped === '1'
  const next = useNext(projectId, queueId, isSkipped)
  if (next.isError) return <Failed query={next} title="Couldn’t get the next item" />
  if (!next.data || next.isFetching) return <Loading />
  const { item, progress } = next.data
  if (item)
    return (
      <Navigate
        to="/project/$projectId/annotation-queues/$queueId/items/$itemId"
        params={{ projectId, queueId, itemId: item.id }}
        search={{ skipped: isSkipped ? '1' : undefined }}
        replace
      />
    )
  return (
    <Nothing
      projectId={projectId}
      queueId={queueId}
      progress={progress}
      onRetry={() => void next.refetch()}
    />
  )
}

type NothingProps = NextProps & { progress: Review['progress']; onRetry: () => void }

/** Says why there is no next item, and what can be done. */
function Nothing({ projectId, queueId, progress, onRetry }: NothingProps) {
  const navigate = useNavigate()
  const back = useBack(projectId, queueId, undefined)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    if (event.key !== 'u' || hasModifier || isBusy(event.target) || isTyping(event.target)) return
    back.goBack()
  })
  // Keys come from outside React.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const { pending, completed, skipped, taken } = progress
  const isEmpty = pending + completed === 0
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden />}
      title={
        isEmpty
          ? 'This queue is empty'
          : pending === 0
            ? 'Everything is reviewed'
            : 'Nothing left for you'
      }
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {skipped > 0 && (
            <Button
              variant="primary"
              onPress={() =>
                void navigate({
                  to: '/project/$projectId/annotation-queues/$queueId/items',
                  params: { projectId, queueId },
                  search: { skipped: '1' },
                })
              }
            >
              Review the {countOf(skipped, 'item')} that you skipped
            </Button>
          )}
          {pending > 0 && <Button onPress={onRetry}>Look again</Button>}
          {back.isPossible && <Button onPress={back.goBack}>Back to the last item (U)</Button>}
          <Link
            to="/project/$projectId/annotation-queues"
            params={{ projectId }}
            className={buttonClass('secondary', 'md')}
          >
            All queues
          </Link>
        </span>
      }
    >
      {!isEmpty && <p>{progressText(progress)} completed.</p>}
      {taken > 0 && <p>Others have {countOf(taken, 'item')} open.</p>}
    </EmptyState>
  )
}

function Opened({ projectId, queueId, itemId }: NextProps & { itemId: string }) {
  const opened = useOpened(projectId, queueId, itemId)
  const queue = useQueue(projectId, queueId)
  const configs = useScoreConfigs(projectId)
  if (opened.error instanceof ApiError && opened.error.status === 409)
    return (
      <EmptyState
        icon={<UserLock aria-hidden />}
        title="Somebody else has this item open"
        action={
          <Link
            to="/project/$projectId/annotation-queues/$queueId/items"
            params={{ projectId, queueId }}
            className={buttonClass('primary', 'md')}
          >
            Next item
          </Link>
        }
      >
        Two people never review the same item at the same time.
      </EmptyState>
    )
  if (opened.isError) return <Failed query={opened} title="Couldn’t open the item" />
  if (queue.isError) return <Failed query={queue} title="Couldn’t load the queue" />
  if (configs.isError) return <Failed query={configs} title="Couldn’t load the score configs" />
  if (!opened.data?.item || opened.isFetching || !queue.data || !configs.data) return <Loading />
  const known = new Map(configs.data.map((config) => [config.id, config]))
  return (
    <ReviewView
      projectId={projectId}
      queue={queue.data}
      item={opened.data.item}
      progress={opened.data.progress}
      configs={queue.data.scoreConfigIds.flatMap((id) => {
        const config = known.get(id)
        return config && !config.isArchived ? [config] : []
      })}
    />
  )
}

type FailedProps = {
  query: { error: unknown; isError: boolean; refetch: () => Promise<unknown> }
  title: string
}

function Failed({ query, title }: FailedProps) {
  const { project } = useProject()
  if (query.error instanceof ApiError && [403, 404].includes(query.error.status))
    return (
      <EmptyState title="There is no such item or queue">
        It may have been removed, or not be assigned to you.{' '}
        <Link
          to="/project/$projectId/annotation-queues"
          params={{ projectId: project.id }}
          className={linkClass}
        >
          All queues
        </Link>
      </EmptyState>
    )
  return (
    <div className="p-3">
      <LoadError title={title} query={query} />
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-3">
      <Skeleton className="h-6 w-1/3" />
      <Skeleton className="h-64 w-full" />
      <span className="sr-only">Loading the item</span>
    </div>
  )
}

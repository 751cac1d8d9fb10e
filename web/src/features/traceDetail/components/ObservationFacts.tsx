import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useAccess } from '@/shared/currentUser'
import { formatDuration, formatExact, formatMoney } from '@/shared/lib/format'
import { Badge, buttonClass, linkClass, ObservationType, Time, LevelBadge } from '@/shared/ui'
import {
  durationOf,
  known,
  levelOf,
  nameOf,
  totalDurationOf,
  typeOf,
  type Tree,
} from '../model/tree'
import type { Detail } from '../model/wire'
import { Fact, Facts, IdFact } from './Facts'

type ObservationFactsProps = {
  projectId: string
  tree: Tree
  row: number
  /** Undefined while it is loading; what the tree has is shown immediately. */
  detail: Detail | undefined
}

/** The attributes of an observation, in a few lines. */
export function ObservationFacts({ projectId, tree, row, detail }: ObservationFactsProps) {
  const mayRun = useAccess().can('playground:run')
  const name = nameOf(tree, row)
  const duration = durationOf(tree, row)
  const cost = known(tree.cost[row])
  const totalCost = known(tree.totalCost[row])
  const tokens = tree.tokens[row] ?? 0
  const totalTokens = tree.totalTokens[row] ?? 0
  const total = totalDurationOf(tree, row)
  return (
    <header className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <ObservationType type={typeOf(tree, row)} />
        <h2 className="max-w-full min-w-0 text-lg font-medium">
          <bdi className="line-clamp-2 break-words" title={name.slice(0, 1000)}>
            {name === '' ? 'Without a name' : name.slice(0, 1000)}
          </bdi>
        </h2>
        <LevelBadge level={levelOf(tree, row)} />
        {detail && mayRun && (typeOf(tree, row) === 'GENERATION' || detail.model !== null) && (
          <Link
            to="/project/$projectId/playground"
            params={{ projectId }}
            search={{ observation: detail.id, trace: detail.traceId }}
            className={`${buttonClass('secondary', 'sm')} ml-auto`}
          >
            <Play aria-hidden />
            Open in playground
          </Link>
        )}
      </div>
      <Facts>
        <Fact label="Latency">
          {duration === undefined ? 'has not ended' : formatDuration(duration)}
          {duration !== undefined && total > duration * 1.01 + 1 && (
            <span className="ml-1 text-text-3">({formatDuration(total)} including children)</span>
          )}
        </Fact>
        {typeof detail?.timeToFirstToken === 'number' && (
          <Fact label="First token">{formatDuration(detail.timeToFirstToken * 1000)}</Fact>
        )}
        {totalCost !== undefined && (
          <Fact label="Cost">
            {cost === undefined ? 'none' : formatMoney(cost)}
            {totalCost !== cost && (
              <span className="ml-1 text-text-3">
                ({formatMoney(totalCost)} including children)
              </span>
            )}
          </Fact>
        )}
        {totalTokens > 0 && (
          <Fact label="Tokens">
            {formatExact(tokens)}
            {totalTokens !== tokens && (
              <span className="ml-1 text-text-3">
                ({formatExact(totalTokens)} including children)
              </span>
            )}
          </Fact>
        )}
        {detail && (
          <>
            <Fact label="Started">
              <Time at={detail.startTime} />
            </Fact>
            {detail.model !== null && (
              <Fact label="Model">
                <span className="truncate font-mono">{detail.model.slice(0, 200)}</span>
              </Fact>
            )}
            {detail.promptName !== null && (
              <Fact label="Prompt">
                <Link
                  to="/project/$projectId/prompts/$promptName"
                  params={{ projectId, promptName: detail.promptName }}
                  search={{ version: detail.promptVersion?.toString() }}
                  className={`${linkClass} max-w-60 truncate`}
                >
                  {detail.promptName.slice(0, 200)}
                  {detail.promptVersion !== null && ` v${detail.promptVersion}`}
                </Link>
              </Fact>
            )}
            {detail.environment !== 'default' && (
              <Fact label="Environment">{detail.environment}</Fact>
            )}
            {detail.version !== null && <Fact label="Version">{detail.version.slice(0, 200)}</Fact>}
            {detail.experiment !== null && (
              <Fact label="Experiment">
                <Link
                  to="/project/$projectId/experiments/results"
                  params={{ projectId }}
                  search={{ baseline: detail.experiment.id }}
                  className={linkClass}
                >
                  {(detail.experiment.name ?? detail.experiment.id).slice(0, 200)}
                </Link>
              </Fact>
            )}
          </>
        )}
        <IdFact label="Observation" id={tree.ids[row] ?? ''} />
      </Facts>
      {detail && detail.tags.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {detail.tags.slice(0, 50).map((tag) => (
            <Badge key={tag}>{tag.slice(0, 200)}</Badge>
          ))}
        </div>
      )}
    </header>
  )
}

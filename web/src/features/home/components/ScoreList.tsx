import { Link } from '@tanstack/react-router'
import { LoadError } from '@/shared/errors'
import type { Scope } from '@/shared/scope'
import { formatCount, formatShare } from '@/shared/lib/format'
import { linkClass, Skeleton } from '@/shared/ui'
import { useScoreFigures, type ScoreFigure } from '../api/useOverview'
import { scoreLink } from '../model/links'

type ScoreListProps = {
  projectId: string
  range: { from: Date; to: Date }
  environment: Scope['environment']
}

/** The scores of the range: means of numbers, share of true for booleans, counts of categories. */
export function ScoreList({ projectId, range, environment }: ScoreListProps) {
  const { scores, isPending, failure } = useScoreFigures(projectId, range, environment)
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">Scores</h3>
      {failure ? (
        <LoadError title="Couldn’t load scores" query={failure} />
      ) : isPending ? (
        <Skeleton className="h-24" />
      ) : scores.length === 0 ? (
        <p className="text-text-3">Nothing in this time range.</p>
      ) : (
        <ul className="flex min-w-0 flex-col gap-1.5">
          {scores.map((score) => {
            const link = scoreLink(score.dataType, score.name)
            return (
              <li
                key={`${score.dataType}:${score.name}`}
                className="flex min-w-0 items-baseline gap-2"
              >
                <span className="min-w-0 flex-1 truncate">
                  <Link {...link} params={{ projectId }} className={linkClass}>
                    <bdi>{score.name}</bdi>
                  </Link>
                </span>
                <span className="tabular shrink-0 text-sm text-text-3">
                  {formatCount(score.count)} scores
                </span>
                <span className="tabular shrink-0 text-sm font-medium">{meanText(score)}</span>
                {score.before !== undefined && (
                  <span className="tabular shrink-0 text-sm text-text-3">
                    {figure(score.before, score.dataType)} before
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function meanText({ mean, dataType }: ScoreFigure): string {
  return mean === undefined ? 'categories' : figure(mean, dataType)
}

function figure(mean: number, dataType: string): string {
  return dataType === 'BOOLEAN'
    ? `${formatShare(mean)} yes`
    : `mean ${Math.round(mean * 1000) / 1000}`
}

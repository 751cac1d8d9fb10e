import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useMemo } from 'react'
import { LoadError } from '@/shared/errors'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { useEnds, useScope } from '@/shared/scope'
import { formatExact } from '@/shared/lib/format'
import { Callout, EmptyState, linkClass, Select, Skeleton } from '@/shared/ui'
import { mostAnalysed, useScoreKinds, useScoresOf } from './api/useScores'
import { ComparisonView } from './components/ComparisonView'
import { ScoreView } from './components/ScoreView'
import { dataTypeLabel, scoresQuery } from './model/filter'
import { decodeKind, encodeKind, levels, toPoints } from './model/points'
import type { AnalyticsSearch } from './search'
import { useSearchState } from '@/shared/lib/useSearchState'

/** One score or two: the distribution of their values, their course over time, and how far both agree. */
export function AnalyticsPage() {
  const { project } = useProject()
  return (
    <GuardedPage
      frame="page"
      title="Score analytics"
      description={
        <Link
          to="/project/$projectId/scores"
          params={{ projectId: project.id }}
          className={linkClass}
        >
          All scores
        </Link>
      }
      permission="scores:read"
      doing="see scores"
    >
      <Analytics projectId={project.id} />
    </GuardedPage>
  )
}

const none = 'none'

function Analytics({ projectId }: { projectId: string }) {
  const [search, changeSearch] = useSearchState()
  const { scope, range, asOf } = useScope()
  const ends = useEnds(projectId, range, asOf)
  const { kinds, isPending, failure } = useScoreKinds(projectId, ends, scope.environment)
  const mostScored = kinds[0]
  const first = decodeKind(search.score) ?? mostScored
  const second = decodeKind(search.second)
  const level = levels.find(({ id }) => id === search.level)?.id ?? 'all'
  const query = scoresQuery(scope)
  const firsts = useScoresOf(projectId, first, query)
  const seconds = useScoresOf(projectId, second, query)
  const firstPoints = useMemo(
    () => toPoints(firsts.data?.scores ?? [], level),
    [firsts.data, level],
  )
  const secondPoints = useMemo(
    () => toPoints(seconds.data?.scores ?? [], level),
    [seconds.data, level],
  )
  const change = (next: AnalyticsSearch) => changeSearch({ cell: undefined, ...next })
  const chosen = [first, second].flatMap((kind) => (kind ? [encodeKind(kind)] : []))
  const known = kinds.map((kind) => ({
    id: encodeKind(kind),
    label: kind.name,
    description: `${dataTypeLabel(kind.dataType)} · ${formatExact(kind.count)}`,
  }))
  // The scores named in the URL may have no values in this time range.
  for (const id of chosen)
    if (!known.some((each) => each.id === id))
      known.push({ id, label: decodeKind(id)?.name ?? id, description: 'None in this time range' })

  if (failure) return <LoadError title="Couldn’t load the names of scores" query={failure} />
  if (isPending) return <Skeleton className="h-64" />
  if (!first)
    return (
      <EmptyState icon={<ChartColumn aria-hidden />} title="No scores in this time range">
        Choose a longer time. Numbers, yes or no, and categories can be analysed.
      </EmptyState>
    )
  const isCut = firsts.data?.isWhole === false || seconds.data?.isWhole === false
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap gap-3">
        <Select
          label="Score"
          className="w-52"
          options={known}
          value={encodeKind(first)}
          onChange={(score) => change({ score })}
        />
        <Select
          label="Compare with"
          className="w-52"
          options={[
            { id: none, label: 'Nothing' },
            ...known.filter(({ id }) => id !== encodeKind(first)),
          ]}
          value={second ? encodeKind(second) : none}
          onChange={(id) => change({ second: id === none ? undefined : id })}
        />
        <Select
          label="Scores of"
          className="w-40"
          options={levels}
          value={level}
          onChange={(id) => change({ level: id === 'all' ? undefined : id })}
        />
      </div>
      {isCut && (
        <Callout>
          Only the newest {formatExact(mostAnalysed)} of each score are analysed. Choose a shorter
          time range to include all of them.
        </Callout>
      )}
      {[
        { kind: first, query: firsts, points: firstPoints, tone: 'accent' as const },
        ...(second
          ? [{ kind: second, query: seconds, points: secondPoints, tone: 'second' as const }]
          : []),
      ].map((each) =>
        each.query.isError ? (
          <LoadError
            key={encodeKind(each.kind)}
            title={`Couldn’t load the scores of ${each.kind.name}`}
            query={each.query}
          />
        ) : each.query.data ? (
          <ScoreView
            key={encodeKind(each.kind)}
            kind={each.kind}
            tone={each.tone}
            points={each.points}
            range={ends}
          />
        ) : (
          <Skeleton key={encodeKind(each.kind)} className="h-64" />
        ),
      )}
      {second && firsts.data && seconds.data && (
        <ComparisonView
          projectId={projectId}
          first={first}
          second={second}
          firstPoints={firstPoints}
          secondPoints={secondPoints}
        />
      )}
    </div>
  )
}

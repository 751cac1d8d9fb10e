import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { useMetrics } from '@/shared/metrics'
import type { Score } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'
import type { scoresQuery } from '../model/filter'
import { analysedTypes, type AnalysedType, type ScoreKind } from '../model/points'

type ScoresQuery = ReturnType<typeof scoresQuery>

const perPage = 100

function loadPage(
  projectId: string,
  query: ScoresQuery & { name?: string; dataType?: AnalysedType },
  cursor: string | undefined,
  signal: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).GET('/v3/scores', {
      params: { query: { ...query, limit: perPage, cursor, fields: 'details,subject,annotation' } },
      signal,
    }),
  )
}

/** The maximum number of scores of one name that analytics look at; the newest are taken. */
export const mostAnalysed = 2000

/** The newest scores of a name. */
export function useScoresOf(projectId: string, kind: ScoreKind | undefined, query: ScoresQuery) {
  return useQuery({
    queryKey: projectKey(projectId, 'scores', 'of', kind, query),
    enabled: kind !== undefined,
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const name = kind?.name ?? ''
      // The parameter is a list: a name with a comma would be read as two.
      const asked = { ...query, dataType: kind?.dataType, ...(!name.includes(',') && { name }) }
      const scores: Score[] = []
      let cursor: string | undefined
      do {
        const page = await loadPage(projectId, asked, cursor, signal)
        scores.push(...page.data.filter((score) => score.name === name))
        cursor = page.meta.cursor
      } while (cursor !== undefined && scores.length < mostAnalysed)
      return { scores, isWhole: cursor === undefined }
    },
  })
}

/** The names and types of scores in a range that can be analysed, the most frequent first. */
export function useScoreKinds(
  projectId: string,
  range: { from: Date; to: Date },
  environment: Scope['environment'],
) {
  const numbers = useMetrics(
    projectId,
    { view: 'scores-numeric', metrics: ['count_count'], by: ['name', 'dataType'], limit: 200 },
    range,
    environment,
  )
  const categories = useMetrics(
    projectId,
    { view: 'scores-categorical', metrics: ['count_count'], by: ['name'], limit: 200 },
    range,
    environment,
  )
  const kinds = [...(numbers.data ?? []), ...(categories.data ?? [])]
    .map((row) => ({
      name: String(row.name ?? ''),
      dataType: analysedTypes.find((each) => each === row.dataType) ?? ('CATEGORICAL' as const),
      count: Number(row.count_count ?? 0),
    }))
    .filter(({ name, count }) => name !== '' && count > 0)
    .toSorted((a, b) => b.count - a.count)
  return {
    kinds,
    isPending: numbers.isPending || categories.isPending,
    failure: [numbers, categories].find((each) => each.isLoadingError),
  }
}

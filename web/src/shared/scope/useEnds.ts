import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { resolveRange, type TimeRange } from '@/shared/lib/timeRange'

const day = 86_400_000
/** What charts of everything begin with until it is known when the first observation began. */
const atFirst = 90 * day

/** The two ends of a range, for charts: those of everything begin with the first observation of the project. */
export function useEnds(projectId: string, range: TimeRange, asOf: Date): { from: Date; to: Date } {
  const isAll = range.kind === 'all'
  const first = useQuery({
    queryKey: projectKey(projectId, 'metrics', 'first'),
    enabled: isAll,
    staleTime: 10 * 60_000,
    queryFn: ({ signal }) =>
      unwrap(projectApi(projectId).POST('/query/histogram', { body: { buckets: 2 }, signal })),
  })
  if (!isAll) return resolveRange(range, asOf)
  const began = first.data?.buckets.length ? new Date(first.data.start) : undefined
  return { from: began ?? new Date(asOf.getTime() - atFirst), to: asOf }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

/** How the versions of a prompt did in a range, and how that changed over time. */
export function usePromptFigures(projectId: string, name: string, range: { from: Date; to: Date }) {
  const [from, to] = [range.from.toISOString(), range.to.toISOString()]
  return useQuery({
    queryKey: projectKey(projectId, 'metrics', 'prompt', name, from, to),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/prompts/metrics', {
          body: { name, from, to, buckets: 60 },
          signal,
        }),
      ),
    enabled: range.from < range.to,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

const maxMoves = 100

/** The newest moves of labels. */
export function useLabelMoves(projectId: string, name: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'label moves', name),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/prompts/{promptName}/label-moves', {
          params: { path: { promptName: name }, query: { limit: maxMoves } },
          signal,
        }),
      ),
    staleTime: 30_000,
  })
}

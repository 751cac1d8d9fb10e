import { useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type UiComponents } from '@/shared/api'

export type Deletion = UiComponents['schemas']['PromptDeletion']

/** What was deleted and can be restored, newest first. */
export function useDeletions(projectId: string) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'prompts', 'deleted'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/deleted-prompts', {
          params: { query: { limit: 50, cursor: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
}

export function useRestore(projectId: string) {
  return useChange([projectKey(projectId, 'prompts')], (deletionId: string) =>
    unwrap(
      projectApi(projectId).POST('/deleted-prompts/{deletionId}/restore', {
        params: { path: { deletionId } },
      }),
    ),
  )
}

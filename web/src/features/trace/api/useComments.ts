import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap, type PublicComponents } from '@/api'
import { traceKey } from './useTree'

export type Comment = PublicComponents['schemas']['Comment']

/** What is commented on: an observation, or the trace without one. */
export type Subject = { projectId: string; traceId: string; observationId: string | undefined }

const commentsKey = ({ projectId, traceId, observationId }: Subject) => [
  ...traceKey(projectId, traceId),
  'comments',
  observationId ?? '',
]

const target = ({ traceId, observationId }: Subject) =>
  observationId === undefined
    ? ({ objectType: 'TRACE', objectId: traceId } as const)
    : ({ objectType: 'OBSERVATION', objectId: observationId } as const)

/** The comments on something, oldest first. */
export function useComments(subject: Subject, isEnabled: boolean) {
  return useQuery({
    queryKey: commentsKey(subject),
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(subject.projectId).GET('/api/public/comments', {
          params: { query: { ...target(subject), limit: 100 } },
          signal,
        }),
      )
      return data
    },
  })
}

export function useAddComment(subject: Subject, authorUserId: string) {
  const client = useQueryClient()
  const { projectId, traceId } = subject
  return useMutation({
    mutationFn: (content: string) =>
      unwrap(
        projectApi(projectId).POST('/api/public/comments', {
          body: { projectId, ...target(subject), content, authorUserId },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: traceKey(projectId, traceId) }),
  })
}

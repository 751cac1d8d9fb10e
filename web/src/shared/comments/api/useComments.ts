import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, traceKey, unwrap, type PublicComponents } from '@/shared/api'
import type { Anchor } from '../model/anchor'

export type Comment = PublicComponents['schemas']['Comment']

/** What is commented on. */
export type CommentSubject = {
  projectId: string
  kind: 'TRACE' | 'OBSERVATION' | 'SESSION' | 'PROMPT'
  id: string
  /** The trace that it is part of, whose comment counts change with it. */
  traceId?: string
}

const commentsKey = ({ projectId, kind, id }: CommentSubject) =>
  projectKey(projectId, 'comments', kind, id)

const maxComments = 500

/** The comments on something, oldest first; stops after `maxComments`. */
export function useComments(subject: CommentSubject, isEnabled: boolean) {
  return useQuery({
    queryKey: commentsKey(subject),
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const all: Comment[] = []
      for (let page = 1; ; page++) {
        const { data, meta } = await unwrap(
          projectApi(subject.projectId).GET('/comments', {
            params: {
              query: { objectType: subject.kind, objectId: subject.id, page, limit: 100 },
            },
            signal,
          }),
        )
        all.push(...data)
        if (page >= meta.totalPages || all.length >= maxComments) return all
      }
    },
  })
}

/** Returns a function that invalidates what a change affects. */
function useChanged(subject: CommentSubject) {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: commentsKey(subject) })
    // Lists of versions count the comments.
    if (subject.kind === 'PROMPT')
      void client.invalidateQueries({ queryKey: projectKey(subject.projectId, 'prompts') })
    // The list of traces does as well.
    if (subject.kind === 'TRACE')
      void client.invalidateQueries({ queryKey: projectKey(subject.projectId, 'rows') })
    if (subject.traceId !== undefined)
      void client.invalidateQueries({
        queryKey: traceKey(subject.projectId, subject.traceId, 'tree'),
      })
  }
}

export type NewComment = { content: string; anchor?: Anchor }

export function useAddComment(subject: CommentSubject) {
  const { projectId, kind, id } = subject
  const onSuccess = useChanged(subject)
  return useMutation({
    mutationFn: ({ content, anchor }: NewComment) =>
      unwrap(
        projectApi(projectId).POST('/comments', {
          body: { projectId, objectType: kind, objectId: id, content, ...anchor },
        }),
      ),
    onSuccess,
  })
}

export function useChangeComment(subject: CommentSubject) {
  const onSuccess = useChanged(subject)
  return useMutation({
    mutationFn: ({ commentId, content }: { commentId: string; content: string }) =>
      unwrap(
        projectApi(subject.projectId).PATCH('/comments/{commentId}', {
          params: { path: { commentId } },
          body: { content },
        }),
      ),
    onSuccess,
  })
}

export function useDeleteComment(subject: CommentSubject) {
  const onSuccess = useChanged(subject)
  return useMutation({
    mutationFn: (commentId: string) =>
      unwrap(
        projectApi(subject.projectId).DELETE('/comments/{commentId}', {
          params: { path: { commentId } },
        }),
      ),
    onSuccess,
  })
}

import { messageOf } from '@/shared/api'
import { LoadError } from '@/shared/errors'
import { NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Skeleton, toast } from '@/shared/ui'
import { useAddComment, useComments, type CommentSubject } from './api/useComments'
import { useMembers } from './api/useMembers'
import { CommentForm } from './components/CommentForm'
import { CommentItem } from './components/CommentItem'
import { anchorOf, quoteOf, type Anchor } from './model/anchor'

type CommentsProps = {
  subject: CommentSubject
  /** The stored texts that comments refer to. */
  texts?: { [field in Anchor['dataField']]?: string | null }
}

/** The comments on something, oldest first. */
export function Comments({ subject, texts }: CommentsProps) {
  const { can } = useProject()
  const comments = useComments(subject, can('comments:read'))
  const members = useMembers(subject.projectId)
  const add = useAddComment(subject)
  if (!can('comments:read')) return <NeedsRole doing="read comments" permission="comments:read" />
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {comments.isError ? (
        <LoadError title="Couldn’t load the comments" query={comments} />
      ) : !comments.data ? (
        <Skeleton className="h-16 w-full" />
      ) : comments.data.length === 0 ? (
        <p className="text-text-3">No comments yet.</p>
      ) : (
        <ol aria-label="Comments" className="flex min-w-0 flex-col gap-2">
          {comments.data.map((comment) => {
            const anchor = anchorOf(comment)
            const text = anchor && texts?.[anchor.dataField]
            return (
              <CommentItem
                key={comment.id}
                subject={subject}
                comment={comment}
                members={members}
                anchor={anchor}
                quote={anchor && typeof text === 'string' ? quoteOf(text, anchor) : undefined}
              />
            )
          })}
        </ol>
      )}
      <NeedsRole doing="comment" permission="comments:write">
        <CommentForm
          label="Comment"
          action="Comment"
          keptAs={`${subject.projectId} ${subject.traceId} ${subject.kind} ${subject.id}`}
          members={members}
          isPending={add.isPending}
          error={add.error ? messageOf(add.error) : undefined}
          onSend={async (content) => {
            try {
              await add.mutateAsync({ content })
            } catch {
              return false // the form shows the error
            }
            toast('Comment added')
            return true
          }}
        />
      </NeedsRole>
    </div>
  )
}

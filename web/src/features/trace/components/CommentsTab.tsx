import { useState, type KeyboardEvent } from 'react'
import { messageOf } from '@/api'
import { LoadError } from '@/features/failures'
import { NeedsRole } from '@/features/roles'
import { useProject, useUser } from '@/features/session'
import { Markdown } from '@/io'
import { Button, Callout, KeyHint, Skeleton, TextField, Time, toast } from '@/ui'
import { useAddComment, useComments, type Subject } from '../api/useComments'
import { useMemberNames } from '../api/useMemberNames'

const longest = 5000

/** What people say about an observation or a trace, oldest first. */
export function CommentsTab(subject: Subject) {
  const { can } = useProject()
  const user = useUser()
  const comments = useComments(subject, can('comments:read'))
  const nameOf = useMemberNames(subject.projectId)
  const add = useAddComment(subject, user.id)
  const [text, setText] = useState('')
  const content = text.trim()
  const send = () => {
    if (content === '' || content.length > longest || add.isPending) return
    add.mutate(content, {
      onSuccess: () => {
        setText('')
        toast('Comment added')
      },
    })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  if (!can('comments:read'))
    return <NeedsRole doing="read comments" permission="comments:read" level="project" />
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {comments.isError ? (
        <LoadError title="The comments could not be loaded" query={comments} />
      ) : !comments.data ? (
        <Skeleton className="h-16 w-full" />
      ) : comments.data.length === 0 ? (
        <p className="text-text-3">No comments yet.</p>
      ) : (
        <ol className="flex min-w-0 flex-col gap-2">
          {comments.data.map((comment) => (
            <li key={comment.id} className="min-w-0 rounded-md border border-border px-3 py-2">
              <p className="flex flex-wrap gap-x-2 text-sm text-text-3">
                <span className="font-medium text-text-2">
                  {comment.authorUserId === null
                    ? 'A program'
                    : comment.authorUserId === user.id
                      ? 'You'
                      : nameOf(comment.authorUserId)}
                </span>
                <Time at={comment.createdAt} />
              </p>
              <Markdown text={comment.content} />
            </li>
          ))}
        </ol>
      )}
      {can('comments:write') ? (
        // Ctrl+Enter in the field sends it; the button does, too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <form
          className="flex flex-col gap-2"
          onKeyDown={onKey}
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <TextField
            label="Comment"
            rows={3}
            value={text}
            onChange={setText}
            error={
              content.length > longest
                ? `At most ${longest} characters; these are ${content.length}.`
                : undefined
            }
          />
          {add.isError && <Callout tone="danger">{messageOf(add.error)}</Callout>}
          <div className="flex items-center gap-2">
            <Button
              type="submit"
              variant="primary"
              size="sm"
              isPending={add.isPending}
              isDisabled={content === ''}
            >
              Comment
            </Button>
            <KeyHint keys="Mod Enter" />
          </div>
        </form>
      ) : (
        <NeedsRole doing="comment" permission="comments:write" level="project" />
      )}
    </div>
  )
}

import { Pencil, Trash2 } from 'lucide-react'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@/shared/api'
import { useProject, useUser } from '@/shared/currentUser'
import { ConfirmChange } from '@/shared/forms'
import { cx } from '@/shared/lib/cx'
import { Markdown } from '@/shared/io'
import { IconButton, Time, toast } from '@/shared/ui'
import {
  useChangeComment,
  useDeleteComment,
  type Comment,
  type CommentSubject,
} from '../api/useComments'
import type { Anchor } from '../model/anchor'
import { shown, type Member } from '../model/mentions'
import { CommentForm } from './CommentForm'

type CommentItemProps = {
  subject: CommentSubject
  comment: Comment
  members: readonly Member[]
  anchor: Anchor | undefined
  /** The text that the anchor quotes; undefined if it is unknown here or no longer exists. */
  quote: string | undefined
}

/** A comment, which its author can edit and delete. */
export function CommentItem({ subject, comment, members, anchor, quote }: CommentItemProps) {
  const user = useUser()
  const { can } = useProject()
  const change = useChangeComment(subject)
  const remove = useDeleteComment(subject)
  const [isEdited, setEdited] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const isLinked = useLocation({ select: ({ hash }) => hash === `comment-${comment.id}` })
  // The browser looks for what a link names before comments are loaded.
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  const isOwn = comment.authorUserId === user.id
  const author = isOwn
    ? 'You'
    : comment.authorUserId === null
      ? 'A program'
      : (members.find(({ id }) => id === comment.authorUserId)?.name ?? 'A member')
  return (
    <li
      ref={item}
      id={`comment-${comment.id}`}
      className={cx(
        'flex min-w-0 flex-col gap-1 rounded-md border px-3 py-2',
        isLinked ? 'border-accent' : 'border-border',
      )}
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm text-text-3">
        <span className="font-medium text-text-2">{author.slice(0, 200)}</span>
        <Time at={comment.createdAt} />
        {comment.updatedAt !== comment.createdAt && <span>changed</span>}
        <span className="ml-auto flex">
          {isOwn && can('comments:write') && !isEdited && (
            <IconButton
              size="sm"
              label="Edit comment"
              icon={<Pencil aria-hidden />}
              onPress={() => setEdited(true)}
            />
          )}
          {((isOwn && can('comments:write')) || can('project:admin')) && (
            <IconButton
              size="sm"
              label="Delete comment"
              icon={<Trash2 aria-hidden />}
              onPress={() => setAsked(true)}
            />
          )}
        </span>
      </div>
      {anchor && (
        <blockquote
          dir="auto"
          className="border-l-2 border-accent pl-2 text-sm break-words text-text-2"
        >
          {quote === undefined
            ? `On a part of the ${anchor.dataField} that no longer exists`
            : quote.slice(0, 300)}
        </blockquote>
      )}
      {isEdited ? (
        <CommentForm
          label="Change the comment"
          action="Save"
          initial={comment.content}
          keptAs={`${subject.projectId} comment ${comment.id}`}
          members={members}
          isFocused
          isPending={change.isPending}
          error={change.error ? messageOf(change.error) : undefined}
          onCancel={() => setEdited(false)}
          onSend={async (content) => {
            try {
              await change.mutateAsync({ commentId: comment.id, content })
            } catch {
              return false // the form shows the error
            }
            setEdited(false)
            toast('Comment changed')
            return true
          }}
        />
      ) : (
        <Markdown text={shown(comment.content)} />
      )}
      <ConfirmChange
        title="Delete the comment"
        action="Delete comment"
        change={remove}
        variables={isAsked ? comment.id : undefined}
        onClose={() => setAsked(false)}
        onDone={() => toast('Comment deleted')}
      >
        This cannot be undone.
      </ConfirmChange>
    </li>
  )
}

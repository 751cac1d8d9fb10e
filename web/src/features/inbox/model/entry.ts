import { linkOptions } from '@tanstack/react-router'
import type { InboxEntry } from '@/shared/inbox'

/** What an entry says, in one line and a quote or error below it. */
export function textOf({ comment, export: file }: InboxEntry): { title: string; detail: string } {
  if (comment)
    return {
      title: `${comment.authorName === '' ? 'A program' : comment.authorName.slice(0, 100)} mentioned you in a comment on ${nouns[comment.objectType]}`,
      detail: withNames(comment.excerpt),
    }
  if (!file) return { title: '', detail: '' }
  const what = `export of ${file.table.replaceAll('_', ' ')} as ${file.format.toUpperCase()}`
  switch (file.state) {
    case 'done':
      return { title: `Your ${what} is done`, detail: '' }
    case 'failed':
      return { title: `Your ${what} failed`, detail: file.error }
    default:
      return { title: `Your ${what} is being made again`, detail: '' }
  }
}

const nouns = {
  TRACE: 'a trace',
  OBSERVATION: 'an observation',
  SESSION: 'a session',
  PROMPT: 'a prompt',
}

/** A comment with the names of those whom it mentions, as text. */
function withNames(content: string): string {
  return content.replaceAll(/@\[([^\]\n]{1,200})\]\(user:[^)\s]{1,200}\)/g, '@$1')
}

/** Where an entry leads: to the very comment, or to the exports of the project. */
export function targetOf({ projectId, comment, export: file }: InboxEntry) {
  const hash = comment ? `comment-${comment.id}` : undefined
  if (file)
    return linkOptions({ to: '/project/$projectId/settings/exports', params: { projectId } })
  switch (comment?.objectType) {
    case 'TRACE':
      return linkOptions({
        to: '/project/$projectId/traces/$traceId',
        params: { projectId, traceId: comment.objectId },
        search: { traceTab: 'comments' },
        hash,
      })
    case 'OBSERVATION':
      return comment.traceId === ''
        ? undefined
        : linkOptions({
            to: '/project/$projectId/traces/$traceId',
            params: { projectId, traceId: comment.traceId },
            search: { observation: comment.objectId, traceTab: 'comments' },
            hash,
          })
    case 'SESSION':
      return linkOptions({
        to: '/project/$projectId/sessions/$sessionId',
        params: { projectId, sessionId: comment.objectId },
        hash,
      })
    case 'PROMPT':
      return comment.promptName === null || comment.promptVersion === null
        ? undefined
        : linkOptions({
            to: '/project/$projectId/prompts/$promptName',
            params: { projectId, promptName: comment.promptName },
            search: { version: String(comment.promptVersion), tab: 'comments' },
            hash,
          })
    default:
      return undefined
  }
}

import { linkOptions } from '@tanstack/react-router'
import { locationOf, type AppLocation } from '@/shared/lib/search'

/** A page that a pasted text may refer to. */
export type Finding = { id: string; label: string; hint: string } & AppLocation

/**
 * What the project knows about a text: the observation with that id, and whether rows have it as a trace, session or
 * user id.
 */
export type Known = {
  observation?: { id: string; traceId?: string | null }
  isTrace: boolean
  isSession: boolean
  isUser: boolean
}

/** Whether a text may be an id: a single word that is not very short. */
export function mayBeId(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length >= 3 && trimmed.length <= 200 && !/\s/.test(trimmed)
}

/** The page at a URL of this server; undefined for any other text. */
export function appPathOf(text: string, origin: string, basePath: string): Finding | undefined {
  const trimmed = text.trim()
  const prefix = origin + basePath + '/'
  if (!trimmed.startsWith(prefix)) return undefined
  const path = trimmed.slice(prefix.length - 1)
  return { id: 'found address', label: path, hint: 'Open address', ...locationOf(path) }
}

export function toFindings(projectId: string, text: string, known: Known): Finding[] {
  const id = text.trim()
  const found: Finding[] = []
  const add = (kind: string, page: AppLocation) =>
    found.push({ id: `found ${kind}`, label: id, hint: `Open ${kind}`, ...page })
  const trace = (traceId: string, observation?: string) =>
    linkOptions({
      to: '/project/$projectId/traces/$traceId',
      params: { projectId, traceId },
      search: { observation },
    })
  if (known.isTrace) add('trace', trace(id))
  if (known.observation?.traceId) add('observation', trace(known.observation.traceId, id))
  if (known.isSession)
    add(
      'session',
      linkOptions({
        to: '/project/$projectId/sessions/$sessionId',
        params: { projectId, sessionId: id },
      }),
    )
  if (known.isUser)
    add(
      'user',
      linkOptions({ to: '/project/$projectId/users/$userId', params: { projectId, userId: id } }),
    )
  return found
}

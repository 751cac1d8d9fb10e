import { projectPath } from '@/shared/lib/paths'
import { locationOf, type AppLocation, type PlainSearch } from '@/shared/lib/search'

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
export function ownAddress(text: string, origin: string, basePath: string): Finding | undefined {
  const trimmed = text.trim()
  const prefix = origin + basePath + '/'
  if (!trimmed.startsWith(prefix)) return undefined
  const path = trimmed.slice(prefix.length - 1)
  return { id: 'found address', label: path, hint: 'Open address', ...locationOf(path) }
}

export function toFindings(projectId: string, text: string, known: Known): Finding[] {
  const id = text.trim()
  const part = encodeURIComponent(id)
  const found: Finding[] = []
  const add = (kind: string, to: string, search?: PlainSearch) =>
    found.push({
      id: `found ${kind}`,
      label: id,
      hint: `Open ${kind}`,
      to: projectPath(projectId, to),
      search,
    })
  if (known.isTrace) add('trace', `traces/${part}`)
  if (known.observation?.traceId) {
    add('observation', `traces/${encodeURIComponent(known.observation.traceId)}`, {
      observation: id,
    })
  }
  if (known.isSession) add('session', `sessions/${part}`)
  if (known.isUser) add('user', `users/${part}`)
  return found
}

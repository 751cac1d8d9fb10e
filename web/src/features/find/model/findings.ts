import { projectPath } from '@/lib/paths'

/** A page that a pasted text may mean. */
export type Finding = { id: string; label: string; hint: string; to: string }

/** What the project knows about a text: the observation with that id, and whether there are rows with it as another id. */
export type Known = {
  observation?: { id: string; traceId?: string | null }
  isTrace: boolean
  isSession: boolean
  isUser: boolean
}

/** Whether a text may be an id: one word, not a very short one. */
export function mayBeId(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length >= 3 && trimmed.length <= 200 && !/\s/.test(trimmed)
}

/** The path of an address of this server, if the text is one. */
export function ownAddress(text: string, origin: string, basePath: string): string | undefined {
  const trimmed = text.trim()
  const prefix = origin + basePath + '/'
  return trimmed.startsWith(prefix) ? trimmed.slice(prefix.length - 1) : undefined
}

export function toFindings(projectId: string, text: string, known: Known): Finding[] {
  const id = text.trim()
  const part = encodeURIComponent(id)
  const found: Finding[] = []
  const add = (kind: string, to: string) =>
    found.push({
      id: `found ${kind}`,
      label: id,
      hint: `Open ${kind}`,
      to: projectPath(projectId, to),
    })
  if (known.isTrace) add('trace', `traces/${part}`)
  if (known.observation?.traceId) {
    add(
      'observation',
      `traces/${encodeURIComponent(known.observation.traceId)}?observation=${part}`,
    )
  }
  if (known.isSession) add('session', `sessions/${part}`)
  if (known.isUser) add('user', `users/${part}`)
  return found
}

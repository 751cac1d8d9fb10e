import type { AuditEntry } from '../api/useAuditLog'

const actors: Record<string, string> = {
  'api-key': 'API key',
  admin: 'Administrator',
  'admin-key': 'Admin key',
  cli: 'Command line',
  init: 'Server start',
  system: 'Server',
}

/** Who made the change: a person's name, or the kind of actor. */
export function describeActor(actor: AuditEntry['actor']): string {
  if (actor.type === 'user') return actor.name ?? actor.id ?? 'Somebody'
  const kind = actors[actor.type] ?? actor.type
  return actor.id === null ? kind : `${kind} ${actor.id}`
}

/** A resource type in words: "apiKey" becomes "API key". */
export function describeResource(type: string): string {
  const words = type
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
    .replace(/\bapi\b/, 'API')
    .replace(/\bllm\b/, 'LLM')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

import type { UiComponents } from '@/shared/api'
import { Json } from '@/shared/io'
import type { PromptBody, PromptMessage } from './body'

type Wire = UiComponents['schemas']['ShownPrompt']

/** What references have become: the texts with everything inserted, and the versions that were inserted. */
export type Resolved = {
  body: PromptBody
  inserted: { name: string; version: number }[]
}

/** A version with its content. */
export type PromptVersion = Omit<Wire, 'prompt' | 'config' | 'resolved' | 'type'> & {
  body: PromptBody
  resolved: Resolved | null
}

/** Reads a version from the response text. */
export function readVersion(text: string): PromptVersion {
  const { prompt, config: _, resolved, type, ...row } = JSON.parse(text) as Wire
  const config = Json.parse(text)?.get('config').raw ?? '{}'
  return {
    ...row,
    body: bodyOf(type, prompt, config),
    resolved: resolved && {
      body: bodyOf(type, resolved.prompt, config),
      inserted: insertedOf(resolved.dependencies),
    },
  }
}

function bodyOf(type: 'text' | 'chat', prompt: unknown, config: string): PromptBody {
  return type === 'text'
    ? { type, prompt: typeof prompt === 'string' ? prompt : '', config }
    : { type, prompt: Array.isArray(prompt) ? prompt.map(messageOf) : [], config }
}

function messageOf(value: unknown): PromptMessage {
  const { role, content, type, name } = value as Record<string, unknown>
  return type === 'placeholder'
    ? { type, name: String(name ?? '') }
    : { role: String(role ?? ''), content: String(content ?? '') }
}

/** Each version once, by name. */
function insertedOf(dependencies: Record<string, Record<string, unknown>[]>): Resolved['inserted'] {
  const all = Object.values(dependencies)
    .flat()
    .map(({ name, version }) => ({ name: String(name), version: Number(version) }))
  const unique = new Map(all.map((each) => [`${each.version} ${each.name}`, each]))
  return [...unique.values()].toSorted(
    (a, b) => a.name.localeCompare(b.name) || a.version - b.version,
  )
}

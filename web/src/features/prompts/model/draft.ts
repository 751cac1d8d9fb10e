import type { PromptBody, PromptMessage, PromptVersion } from '@/shared/prompts'
import { namesIn, withTag } from '@/shared/prompts'
import { Json, prettyText } from '@/shared/io'

/** A message or a placeholder while it is edited: it keeps its id when it is moved. */
export type Item =
  | { id: string; kind: 'message'; role: string; content: string }
  | { id: string; kind: 'placeholder'; name: string }

/** What the editor holds. Both contents are kept while the type of a new prompt is chosen. */
export type Draft = {
  name: string
  type: 'text' | 'chat'
  text: string
  items: readonly Item[]
  /** JSON. */
  config: string
  labels: readonly string[]
  tags: { chosen: readonly string[]; typed: string }
  commitMessage: string
  /** The newest version that was known when editing began; null for a new name. */
  base: number | null
}

let last = 0

/** An id for a message; unique on the page. */
export function newId(): string {
  last += 1
  return `m${last}`
}

export const emptyMessage = (role: string): Item => ({
  id: newId(),
  kind: 'message',
  role,
  content: '',
})

export function newDraft(name: string, labels: readonly string[]): Draft {
  return {
    name,
    type: 'text',
    text: '',
    items: [emptyMessage('system'), emptyMessage('user')],
    config: '{}',
    labels,
    tags: { chosen: [], typed: '' },
    commitMessage: '',
    base: null,
  }
}

/** A new version begins as the version that it is made from, without its labels. */
export function draftOf(version: PromptVersion, newest: number, tags: readonly string[]): Draft {
  return {
    ...newDraft(version.name, []),
    ...contentOf(version.body),
    tags: chosen(tags),
    base: newest,
  }
}

const chosen = (tags: readonly string[]) => ({ chosen: tags, typed: '' })

/** The content of a version as it is edited. */
export function contentOf(body: PromptBody): Pick<Draft, 'type' | 'text' | 'items' | 'config'> {
  return {
    type: body.type,
    text: body.type === 'text' ? body.prompt : '',
    items: body.type === 'chat' ? body.prompt.map(itemOf) : [],
    config: prettyText(body.config) ?? body.config,
  }
}

function itemOf(message: PromptMessage): Item {
  return 'type' in message
    ? { id: newId(), kind: 'placeholder', name: message.name }
    : { id: newId(), kind: 'message', role: message.role, content: message.content }
}

/** What would be saved. */
export function bodyOf({ type, text, items, config }: Draft): PromptBody {
  // Compared with other versions, which have it in the same form.
  const pretty = prettyText(config) ?? config
  return type === 'text'
    ? { type, prompt: text, config: pretty }
    : { type, prompt: items.map(messageOf), config: pretty }
}

function messageOf(item: Item): PromptMessage {
  return item.kind === 'placeholder'
    ? { type: 'placeholder', name: item.name }
    : { role: item.role, content: item.content }
}

/** A version with its config in the form that drafts have. */
export function prettyBody(body: PromptBody): PromptBody {
  return { ...body, config: prettyText(body.config) ?? body.config }
}

/** Whether two contents are the same, but for the spaces in the config. */
export function isSameBody(a: PromptBody, b: PromptBody): boolean {
  if (a.type !== b.type || prettyBody(a).config !== prettyBody(b).config) return false
  return a.type === 'text'
    ? a.prompt === b.prompt
    : JSON.stringify(a.prompt) === JSON.stringify(b.prompt)
}

/** Whether anything differs from how the draft began. */
export function isChanged(draft: Draft, start: Draft): boolean {
  if (draft === start) return false
  const { text, items, ...rest } = draft
  const { text: startText, items: startItems, ...startRest } = start
  return (
    text !== startText ||
    (items !== startItems && JSON.stringify(items) !== JSON.stringify(startItems)) ||
    JSON.stringify(rest) !== JSON.stringify(startRest)
  )
}

export function moved(items: readonly Item[], from: number, by: 1 | -1): readonly Item[] {
  const item = items[from]
  const other = items[from + by]
  if (!item || !other) return items
  return items.with(from, other).with(from + by, item)
}

/** The role of a message that is added: people and models take turns. */
export function nextRole(items: readonly Item[]): string {
  const lastMessage = items.findLast((item) => item.kind === 'message')
  if (!lastMessage) return 'system'
  return lastMessage.role === 'user' ? 'assistant' : 'user'
}

/** What keeps a draft from being saved, by field. The name is checked by the server. */
export type Problems = {
  name?: string
  config?: string
  labels?: string
  commitMessage?: string
  items: ReadonlyMap<string, string>
}

const placeholderName = /^[a-zA-Z][a-zA-Z0-9_]*$/
export const maxMessage = 500

export function problemsOf(draft: Draft): Problems {
  const items = new Map<string, string>()
  if (draft.type === 'chat') {
    const { variables } = namesIn(bodyOf(draft))
    const used = new Set(variables)
    for (const item of draft.items) {
      const problem = itemProblem(item, used)
      if (problem !== undefined) items.set(item.id, problem)
    }
  }
  return {
    ...(draft.name.trim() === '' && { name: 'A prompt needs a name.' }),
    ...configProblem(draft.config),
    ...(draft.commitMessage.length > maxMessage && {
      commitMessage: `At most ${maxMessage} characters; these are ${draft.commitMessage.length}.`,
    }),
    items,
  }
}

function itemProblem(item: Item, variables: ReadonlySet<string>): string | undefined {
  if (item.kind === 'message')
    return item.role.trim() === '' ? 'A message needs a role.' : undefined
  if (!placeholderName.test(item.name))
    return 'A placeholder begins with a letter and consists of letters, digits and underscores.'
  if (item.name.length > 255) return 'The name of a placeholder has at most 255 characters.'
  return variables.has(item.name)
    ? `{{${item.name}}} is a variable already: the placeholder needs another name.`
    : undefined
}

function configProblem(config: string): Pick<Problems, 'config'> | undefined {
  if (config.trim() === '') return undefined
  const value = Json.parse(config)
  if (!value) return { config: 'The config is not JSON yet.' }
  return value.kind === 'null' ? { config: 'The config cannot be null.' } : undefined
}

export function hasProblem({ items, ...fields }: Problems): boolean {
  return items.size > 0 || Object.values(fields).some((problem) => problem !== undefined)
}

/** The request that saves a draft, as text: numbers of the config keep their digits. */
export function saveBody(draft: Draft, evenIfUnchanged: boolean): string {
  const { type, prompt } = bodyOf(draft)
  const config = draft.config.trim() === '' ? '{}' : draft.config
  const rest = JSON.stringify({
    name: draft.name.trim(),
    type,
    prompt,
    labels: draft.labels,
    tags: withTag(draft.tags.chosen, draft.tags.typed),
    commitMessage: draft.commitMessage.trim() === '' ? null : draft.commitMessage.trim(),
    baseVersion: draft.base,
    evenIfUnchanged,
  })
  return `{"config":${config},${rest.slice(1)}`
}

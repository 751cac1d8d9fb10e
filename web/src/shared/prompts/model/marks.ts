import { variablePattern } from '@/shared/editor'
import { partsOf, type PromptBody } from './body'

/** Another prompt that is inserted, by version or by label. */
export type PromptReference = { name: string; version: number } | { name: string; label: string }

/** A variable or a reference in a text, and where it is. */
export type Mark = { from: number; to: number } & (
  { kind: 'variable'; name: string } | { kind: 'reference'; reference: PromptReference }
)

const start = '@@@langfusePrompt:'
const end = '@@@'

/** The variables and references of a text in order. Malformed references are text, as they are for the server. */
export function marksOf(text: string): Mark[] {
  const references = referencesOf(text)
  const marks: Mark[] = []
  let next = 0
  for (const match of text.matchAll(variablePattern)) {
    const from = match.index
    const to = from + match[0].length
    while (next < references.length && (references[next]?.from ?? 0) < from) {
      const reference = references[next]
      if (reference) marks.push(reference)
      next += 1
    }
    // Braces in the name of a reference are no variable.
    if (from >= (marks.at(-1)?.to ?? 0))
      marks.push({ kind: 'variable', name: match[1] ?? '', from, to })
  }
  return [...marks, ...references.slice(next)]
}

function referencesOf(text: string): Mark[] {
  const found: Mark[] = []
  let at = 0
  for (;;) {
    const from = text.indexOf(start, at)
    if (from < 0) return found
    const close = text.indexOf(end, from + start.length)
    if (close < 0) return found
    const to = close + end.length
    const reference = referenceOf(text.slice(from + start.length, close))
    if (reference) found.push({ kind: 'reference', reference, from, to })
    at = to
  }
}

function referenceOf(inner: string): PromptReference | undefined {
  const [first = '', second = '', more] = inner.split('|')
  if (more !== undefined || !first.startsWith('name=')) return undefined
  const name = first.slice('name='.length)
  if (name === '') return undefined
  const version = /^version=\+?(\d+)$/.exec(second)?.[1]
  if (version !== undefined) {
    const number = Number(version)
    return number >= 1 && number < 2 ** 31 ? { name, version: number } : undefined
  }
  const label = /^label=(.+)$/s.exec(second)?.[1]
  return label === undefined ? undefined : { name, label }
}

/** The reference as it is written in a prompt. */
export function writeReference(reference: PromptReference): string {
  const which = 'version' in reference ? `version=${reference.version}` : `label=${reference.label}`
  return `${start}name=${reference.name}|${which}${end}`
}

export type PromptNames = {
  variables: string[]
  placeholders: string[]
  references: PromptReference[]
}

/** The variables, placeholders and references of a prompt, each once, in order. */
export function namesIn(body: PromptBody): PromptNames {
  const variables = new Set<string>()
  const placeholders = new Set<string>()
  const references = new Map<string, PromptReference>()
  for (const { kind, text } of partsOf(body)) {
    if (kind === 'placeholder') placeholders.add(text)
    else
      for (const mark of marksOf(text))
        if (mark.kind === 'variable') variables.add(mark.name)
        else references.set(writeReference(mark.reference), mark.reference)
  }
  return {
    variables: [...variables],
    placeholders: [...placeholders],
    references: [...references.values()],
  }
}

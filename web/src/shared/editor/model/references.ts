/** Where the names of other prompts, and what they are labelled with, come from. */
export type ReferenceSource = {
  names: (typed: string) => Promise<readonly string[]>
  labels: (name: string) => Promise<{ labels: Readonly<Record<string, number>>; newest: number }>
}

export const referenceStart = '@@@langfusePrompt:'

/** A reference to another prompt, by version or by label. */
export const referencePattern =
  /@@@langfusePrompt:name=[^|@\n]+\|(?:version=\d+|label=[^@|\n]+)@@@/g

/** A reference that is being typed at the end of a line, and what of it. */
export type TypedReference = { from: number; text: string } & (
  { part: 'name' } | { part: 'which'; name: string }
)

/** What of a reference is being typed at the end of this text; undefined if nothing is. */
export function typedReference(line: string): TypedReference | undefined {
  const from = line.lastIndexOf('@@@langfusePrompt:')
  if (from >= 0) {
    const inner = line.slice(from + referenceStart.length)
    if (inner.includes('@')) return shortReference(line)
    const [first = '', which] = inner.split('|')
    const name = first.replace(/^name=/, '')
    return which === undefined
      ? { part: 'name', from, text: name }
      : { part: 'which', from, name, text: which }
  }
  return shortReference(line)
}

/** Two or three signs, and what follows of a name. The signs that end a reference begin nothing. */
function shortReference(line: string): TypedReference | undefined {
  const match = /(?<!@)@@@?([^@|\n]{0,200})$/.exec(line)
  const text = match?.[1]
  if (!match || text === undefined || /^\s|\s{2}/.test(text)) return undefined
  const ended = Array.from(line.matchAll(referencePattern)).at(-1)
  if (ended && ended.index + ended[0].length > match.index) return undefined
  return { part: 'name', from: match.index, text }
}

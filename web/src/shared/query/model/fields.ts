/** The type of a field decides what may follow its colon. */
export type FieldKind =
  | 'text' // matched by contains, begins with, ends with, equals
  | 'option' // one of a few values
  | 'list' // several short strings
  | 'number'
  | 'time'
  | 'boolean'
  | 'words' // long text, searched for words
  | 'metadata' // has keys
  | 'scores' // has names; numbers, categories, or true and false

export type Field = {
  /** The name that is offered and printed. */
  name: string
  column: string
  kind: FieldKind
  /** The description in the list of completions. */
  about: string
  aliases?: readonly string[]
  /** The options, if they do not depend on the project. */
  values?: readonly string[]
  /** The unit that numbers may be written with: 2s, $0.01, 10k. */
  unit?: 'seconds' | 'dollars' | 'count'
  /** The boolean column that says whether there is a value, where the column itself cannot. */
  presence?: string
  /** In a list of other things: one of their observations has the value, so that a minus means that none has. */
  isOfObservations?: boolean
}

/** Whether a field needs a key, as in metadata.key. */
export function isKeyed(field: Field): boolean {
  return field.kind === 'metadata' || field.kind === 'scores'
}

/** The fields that a query may name, and ways to find them. */
export type FieldSet = {
  list: readonly Field[]
  /** The field with a name or alias, ignoring case. */
  named: (name: string) => Field | undefined
  /** The field for a column of the server. */
  ofColumn: (column: string) => Field | undefined
  /** The name of a field with a similar spelling, if there is one. */
  similarTo: (name: string) => string | undefined
}

export function fieldSet(list: readonly Field[]): FieldSet {
  const byName = new Map<string, Field>()
  const byColumn = new Map<string, Field>()
  for (const field of list) {
    const others = [field.column, ...(field.aliases ?? [])]
    for (const name of [field.name, ...others])
      if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), field)
    for (const name of others) byColumn.set(name, field)
  }
  return {
    list,
    named: (name) => byName.get(name.toLowerCase()),
    ofColumn: (column) => byColumn.get(column),
    similarTo: (name) => {
      const wanted = name.toLowerCase()
      let best: { name: string; distance: number } | undefined
      for (const [known, field] of byName) {
        const distance = known.startsWith(wanted) ? 1 : editDistance(wanted, known)
        if (distance <= 2 && distance < known.length && (!best || distance < best.distance))
          best = { name: field.name, distance }
      }
      return best?.name
    },
  }
}

/** The column with the names of a row's scores. */
export const scoreNames = 'scoreNames'

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

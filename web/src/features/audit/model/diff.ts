/** A value that was added, removed, changed or kept; `path` leads to it, as in prices.input. */
export type Difference = {
  path: string
  kind: 'added' | 'removed' | 'changed' | 'same'
  before?: string
  after?: string
}

/** Compares two records value by value, in the order of the records. Unchanged values are included. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [was, is] = [leaves(before), leaves(after)]
  const paths = [...new Set([...was.keys(), ...is.keys()])]
  return paths.map((path) => {
    const [old, now] = [was.get(path), is.get(path)]
    if (old === undefined) return { path, kind: 'added', after: now }
    if (now === undefined) return { path, kind: 'removed', before: old }
    return { path, kind: old === now ? 'same' : 'changed', before: old, after: now }
  })
}

/** Every value in a record as text, by its path. Empty lists and records count as values. */
function leaves(value: unknown): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (part: unknown, path: string) => {
    if (typeof part === 'object' && part !== null) {
      const entries = Object.entries(part)
      if (entries.length > 0) {
        for (const [name, each] of entries) walk(each, path === '' ? name : `${path}.${name}`)
        return
      }
    }
    if (path !== '') found.set(path, typeof part === 'string' ? part : JSON.stringify(part))
  }
  walk(value, '')
  return found
}

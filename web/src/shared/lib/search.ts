/**
 * Search parameters are plain strings, as people and other programs write them: ?observation=0123&runs=a&runs=b.
 * Nothing is parsed as a number, so ids keep their digits.
 */
export type PlainSearch = Record<string, string | string[] | undefined>

export function parseSearch(text: string): PlainSearch {
  const found: PlainSearch = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(found, name) ? found[name] : undefined
    if (name === '__proto__') continue
    found[name] =
      before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return found
}

/**
 * The search schema of a route whose parameters are strings. One that is given twice counts as empty; parameters that
 * are not named stay as they are.
 */
export function strings<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } => {
    const found: Record<string, unknown> = {}
    for (const name of names) {
      const value = search[name]
      if (value !== undefined) found[name] = typeof value === 'string' ? value : ''
    }
    // Named parameters come first, always in the same order: the same page has the same search, as text too.
    return { ...found, ...search, ...found } as { [name in Name]?: string }
  }
}

/** A page of the application as the router takes it: the parameters are not part of the path. */
export type AppLocation = {
  to: string
  params?: Record<string, string | undefined>
  search?: PlainSearch
  hash?: string
}

/** The page at a path that may have parameters and a hash. */
export function locationOf(path: string): AppLocation {
  const { pathname, search, hash } = new URL(path, 'http://almanac.invalid')
  return { to: pathname, search: parseSearch(search), hash: hash.slice(1) }
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean')
        parameters.append(name, String(each))
    }
  }
  // As encodeURIComponent and most programs write it, so that URLs stay unchanged.
  const text = parameters.toString().replaceAll('+', '%20')
  return text === '' ? '' : `?${text}`
}

/** Column ids are part of the URL, so they contain no commas, colons or dots: keys and names are encoded. */
const prefixes = { metadata: 'meta-', scores: 'score-' } as const

export type Dynamic = keyof typeof prefixes

export function dynamicId(kind: Dynamic, key: string): string {
  return prefixes[kind] + encodeURIComponent(key).replaceAll('.', '%2E')
}

export function dynamicKey(kind: Dynamic, id: string): string | undefined {
  if (!id.startsWith(prefixes[kind])) return undefined
  try {
    return decodeURIComponent(id.slice(prefixes[kind].length))
  } catch {
    return undefined
  }
}

/** The keys of the columns that are shown. */
export function dynamicKeys(kind: Dynamic, ids: readonly string[] | undefined): string[] {
  return (ids ?? []).flatMap((id) => dynamicKey(kind, id) ?? [])
}

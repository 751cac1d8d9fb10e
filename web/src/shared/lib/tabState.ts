/**
 * What a page keeps in the tab, so that it is there again after a reload. It belongs to one user: nobody else sees it,
 * and it is forgotten when they sign out.
 */
type Kept = { userId: string; value: unknown }

const prefix = 'almanac-tab '

export function readTabState<T>(name: string, userId: string): T | undefined {
  try {
    const text = sessionStorage.getItem(prefix + name)
    const kept = text === null ? undefined : (JSON.parse(text) as Kept)
    return kept?.userId === userId ? (kept.value as T) : undefined
  } catch {
    return undefined
  }
}

/** Keeps a value; reports whether there was room for it. */
export function writeTabState(name: string, userId: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify({ userId, value } satisfies Kept))
    return true
  } catch {
    return false
  }
}

/** Forgets everything: the user signs out. */
export function forgetTabState(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Storage is switched off, so there is nothing to forget.
  }
}

import { sessionMap } from './sessionState'

/**
 * What was typed into forms when the session ended, so that it is there again once the same user has signed in. It is
 * stored in the tab, since signing in may leave the page. Secrets are left out by the forms.
 */
type Stored = { userId: string; values: Record<string, object> }

const storageName = 'almanac-drafts'

/** The forms that are open: each returns what was typed into it, or undefined if nothing was. */
const open = sessionMap<string, () => object | undefined>()

/** The same form of another project has another URL. */
function keyOf(name: string): string {
  return `${location.pathname} ${name}`
}

/** Makes a form one of those that are kept; returns a function that ends it. */
export function openDraft(name: string, read: () => object | undefined): () => void {
  const key = keyOf(name)
  open.set(key, read)
  return () => {
    if (open.get(key) === read) open.delete(key)
  }
}

/** Stores what was typed, because the session of a user has ended. */
export function keepDrafts(userId: string): void {
  const values: Stored['values'] = {}
  for (const [key, read] of open) {
    const typed = read()
    if (typed) values[key] = typed
  }
  if (Object.keys(values).length > 0) write({ userId, values })
}

/** Forgets everything: the user signs out. */
export function forgetDrafts(): void {
  open.clear()
  write(undefined)
}

/** Forgets what belongs to anybody but this user, who has signed in. */
export function forgetDraftsOfOthers(userId: string): void {
  if (read()?.userId !== userId) write(undefined)
}

/** What was typed into a form before the session ended. It stays until it is dropped. */
export function findDraft(name: string): object | undefined {
  return read()?.values[keyOf(name)]
}

export function dropDraft(name: string): void {
  const stored = read()
  if (!stored) return
  const { [keyOf(name)]: _dropped, ...values } = stored.values
  write(Object.keys(values).length > 0 ? { ...stored, values } : undefined)
}

function read(): Stored | undefined {
  try {
    const text = sessionStorage.getItem(storageName)
    return text === null ? undefined : (JSON.parse(text) as Stored)
  } catch {
    return undefined
  }
}

/** Storage may be switched off; then nothing is kept. */
function write(stored: Stored | undefined): void {
  try {
    if (stored) sessionStorage.setItem(storageName, JSON.stringify(stored))
    else sessionStorage.removeItem(storageName)
  } catch {
    // Nothing can be done about it.
  }
}

import { sessionMap } from './sessionState'

/**
 * What was typed into forms when the session ended, so that it is there again once the same user has signed in. It is
 * stored in the tab, since signing in may leave the page. Secrets are left out by the forms.
 */
type Stored = { userId: string; values: Record<string, object>; unsent?: Record<string, object> }

const storageName = 'almanac-drafts'

/** The forms that are open: each returns what was typed into it, or undefined if nothing was. */
const open = sessionMap<string, () => object | undefined>()

/**
 * What was typed and not sent, by names that say what it is about. It is there again after looking elsewhere, also when
 * the session ended in between.
 */
const unsent = sessionMap<string, object>()

export function findUnsent<T extends object>(name: string): T | undefined {
  return unsent.get(name) as T | undefined
}

/** Keeps what was typed; without it, forgets what was. */
export function keepUnsent(name: string, typed: object | undefined): void {
  if (name === '') return
  if (typed) unsent.set(name, typed)
  else unsent.delete(name)
}

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
  if (Object.keys(values).length > 0 || unsent.size > 0)
    write({ userId, values, unsent: Object.fromEntries(unsent) })
}

/** Forgets everything: the user signs out. */
export function forgetDrafts(): void {
  open.clear()
  unsent.clear()
  write(undefined)
}

/** Takes up what this user, who has signed in, had typed, and forgets what belongs to anybody else. */
export function takeUpDrafts(userId: string): void {
  const stored = read()
  if (stored?.userId !== userId) {
    write(undefined)
    return
  }
  for (const [name, typed] of Object.entries(stored.unsent ?? {})) unsent.set(name, typed)
  write(Object.keys(stored.values).length > 0 ? { userId, values: stored.values } : undefined)
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

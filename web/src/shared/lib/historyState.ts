import { entryState } from './historyCalls'
import { onSessionEnd, sessionMap } from './sessionState'

/** The values that one history entry keeps, by name. */
type Kept = Record<string, unknown>

/** Older entries are forgotten. */
const mostEntries = 50
const storageName = 'almanac-kept'
/** How long nothing has to change before it is stored, in milliseconds. */
const rest = 500

const entries = sessionMap<string, Kept>()
let isLoaded = false
let waiting: ReturnType<typeof setTimeout> | undefined

/**
 * State that a page keeps for its history entry: it is restored by Back and by a reload, and lost with the tab. Anything
 * that others should see belongs in the URL.
 *
 * It is kept in memory, and stored for a reload when the page rests or is left. It is not part of the history's own
 * state: browsers limit how often that may be written, and throw.
 */
export function readHistoryState<T>(name: string): T | undefined {
  load()
  return (entries.get(entryKey())?.[name] as T | undefined) ?? undefined
}

export function writeHistoryState(name: string, value: unknown): void {
  load()
  const key = entryKey()
  const kept = { ...entries.get(key), [name]: value }
  entries.delete(key) // the newest is last
  entries.set(key, kept)
  for (const old of entries.keys()) {
    if (entries.size <= mostEntries) break
    entries.delete(old)
  }
  clearTimeout(waiting)
  waiting = setTimeout(store, rest)
}

/** The router gives each entry a key. */
function entryKey(): string {
  const { key } = (entryState() ?? {}) as { key?: unknown }
  return typeof key === 'string' ? key : ''
}

function load(): void {
  if (isLoaded) return
  isLoaded = true
  addEventListener('pagehide', store)
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '[]')
    if (Array.isArray(stored))
      for (const [key, kept] of stored as [string, Kept][]) entries.set(key, kept)
  } catch {
    // Nothing was stored, or the browser does not allow it: the page starts at its beginning.
  }
}

function store(): void {
  clearTimeout(waiting)
  try {
    sessionStorage.setItem(storageName, JSON.stringify([...entries]))
  } catch {
    // The storage is full or not allowed. Back still finds everything in memory.
  }
}

onSessionEnd(() => {
  isLoaded = false
  clearTimeout(waiting)
  removeEventListener('pagehide', store)
  try {
    sessionStorage.removeItem(storageName)
  } catch {
    // Nothing can have been stored.
  }
})

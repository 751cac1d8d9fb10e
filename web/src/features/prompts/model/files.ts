import { Json } from '@/shared/io'

/** The limits of the server. */
export const maxEntries = 500
export const maxFileBytes = 15_000_000

/** One list of the entries of several: nothing is parsed, so numbers keep their digits. */
export function joinLists(texts: readonly string[]): string {
  const inside = texts
    .map((text) => text.trim().slice(1, -1).trim())
    .filter((entries) => entries !== '')
  return inside.length === 0 ? '[]\n' : `[\n${inside.join(',\n')}\n]\n`
}

/** A file name that is valid on every system. */
export function fileNameOf(what: string): string {
  const safe = what.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100)
  return `prompts-${safe === '' || safe === '-' ? 'all' : safe}.json`
}

export type Entries =
  { problem: string; entries?: undefined } | { problem?: undefined; entries: readonly string[] }

/** The entries of a file as they are written in it, or why it is no such file. */
export function readEntries(text: string): Entries {
  const list = Json.parse(text)
  if (!list) return { problem: 'The file is not JSON.' }
  if (!list.isArray)
    return { problem: 'The file is not a list of prompts: it has to begin with [ and end with ].' }
  const entries = list.elements()
  if (entries.length === 0) return { problem: 'The list is empty.' }
  if (entries.length > maxEntries)
    return {
      problem: `The file has ${entries.length} versions, and one import takes ${maxEntries}. Split it.`,
    }
  const wrong = entries.findIndex((entry) => !entry.isObject)
  if (wrong >= 0) return { problem: `Entry ${wrong + 1} is not an object.` }
  return { entries: entries.map((entry) => entry.raw) }
}

export type ImportOptions = { onExists: 'version' | 'skip'; labels: 'keep' | 'drop' }

/** The request that imports these entries, as text: numbers keep their digits. */
export function importBody(
  entries: readonly string[],
  { onExists, labels }: ImportOptions,
  dryRun: boolean,
): string {
  const rest = JSON.stringify({ onExists, labels, dryRun })
  return `{"entries":[${entries.join(',')}],${rest.slice(1)}`
}

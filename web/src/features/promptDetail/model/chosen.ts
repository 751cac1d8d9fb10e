/** What the page needs to know of a name to tell which version is meant. */
type Head = { newest: number; labels: Readonly<Record<string, number>> }

/** The version that an address means, or why there is none. */
export type Chosen =
  | { kind: 'version'; version: number }
  | { kind: 'missing'; why: string }
  /** It depends on labels that are still loading. */
  | { kind: 'waiting' }

const highest = 2 ** 31 - 1

/** A version in an address; undefined if it is none. */
export function versionIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined
  const version = Number(text)
  return version >= 1 && version <= highest ? version : undefined
}

/** A version comes before a label, and without both it is the newest one. */
export function chosenVersion(
  search: { version?: string; label?: string },
  head: Head | undefined,
): Chosen {
  if (search.version !== undefined && search.version !== '') {
    const version = versionIn(search.version)
    return version === undefined
      ? {
          kind: 'missing',
          why: `“${search.version.slice(0, 100)}” is not the number of a version.`,
        }
      : { kind: 'version', version }
  }
  if (!head) return { kind: 'waiting' }
  if (search.label === undefined || search.label === '' || search.label === 'latest')
    return { kind: 'version', version: head.newest }
  const version = Object.hasOwn(head.labels, search.label) ? head.labels[search.label] : undefined
  return version === undefined
    ? { kind: 'missing', why: `No version has the label “${search.label.slice(0, 100)}”.` }
    : { kind: 'version', version }
}

export const tabs = ['prompt', 'metrics', 'linked-generations', 'use-prompt', 'comments'] as const
export type TabId = (typeof tabs)[number]

/** The tab in an address. Config is shown with the prompt. */
export function tabIn(text: string | undefined): TabId {
  return tabs.find((tab) => tab === text) ?? 'prompt'
}

/** A list from the newest version on is read down to one that is at most this much older. */
const nearNewest = 1000
/** How many newer versions are listed above the one that is shown. */
const above = 30

/** Below which version a list begins that has the shown one not far from its beginning; undefined for at the newest. */
export function beginOf(newest: number, shown: number): number | undefined {
  return newest - shown < nearNewest ? undefined : shown + above + 1
}

/** The version that J or K goes to; undefined at the ends. Versions are listed from newest to oldest. */
export function neighbour(
  versions: readonly number[],
  version: number,
  by: 1 | -1,
): number | undefined {
  const at = versions.indexOf(version)
  if (at >= 0) return versions[at + by]
  // One that is not in the list, because of a search or since it is far below: the nearest in that direction.
  return by > 0
    ? versions.find((each) => each < version)
    : versions.findLast((each) => each > version)
}

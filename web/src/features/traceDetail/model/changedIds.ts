import type { WireTree } from './wire'

const figures = ['start', 'end', 'cost', 'inputTokens', 'outputTokens'] as const
const words = { name: 'names', type: 'types', level: 'levels', model: 'models' } as const

/**
 * The observations that are new or changed in a later response, and those that had not ended before and may have more
 * data.
 */
export function changedIds(before: WireTree, now: WireTree): Set<string> {
  const rows = new Map(before.columns.id.map((id, at) => [id, at]))
  const isSame = (was: number, is: number) =>
    (before.columns.end[was] ?? -1) >= 0 &&
    figures.every((name) => before.columns[name][was] === now.columns[name][is]) &&
    Object.entries(words).every(
      ([name, list]) => wordAt(before, name, list, was) === wordAt(now, name, list, is),
    )
  return new Set(
    now.columns.id.filter((id, is) => {
      const was = rows.get(id)
      return was === undefined || !isSame(was, is)
    }),
  )
}

/** The dictionaries of two responses may differ in order. */
function wordAt(wire: WireTree, name: string, list: string, row: number): string | undefined {
  const at = wire.columns[name as keyof typeof words][row] ?? -1
  return wire.dictionary[list as keyof WireTree['dictionary']][at]
}

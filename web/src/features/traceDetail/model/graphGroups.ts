import { mostNodes } from './graphSize'
import { nameOf, typeOf, type Tree } from './tree'

/** Which steps are drawn as one node. */
export type Groups = {
  of: (row: number) => Group
  grouping: 'names' | 'patterns' | 'rest'
  /** The number of different names and types. */
  names: number
}

export type Group = { key: string; type: string; name: string }

/** Longer names are told apart by their beginning. */
const longestName = 1000

/**
 * Groups steps so that there are never more than mostNodes groups: by type and name; if these are too many, without
 * the numbers in names; if these are too many too, the rarest of each type are put together.
 */
export function groupSteps(tree: Tree, isStep: Uint8Array): Groups {
  const byName = count(tree, isStep, (name) => name)
  const names = byName.sizes.size
  if (names <= mostNodes) return { of: byName.of, grouping: 'names', names }
  const byPattern = count(tree, isStep, patternOf)
  if (byPattern.sizes.size <= mostNodes) return { of: byPattern.of, grouping: 'patterns', names }
  const types = new Set<string>()
  for (const { group } of byPattern.sizes.values()) types.add(group.type)
  // More types than places, which only a damaged answer has, are put together whatever their type.
  const areTypesFew = types.size <= mostNodes / 2
  const places = mostNodes - (areTypesFew ? types.size : 1)
  const kept = new Set(
    [...byPattern.sizes]
      .toSorted(([, a], [, b]) => b.count - a.count)
      .slice(0, places)
      .map(([key]) => key),
  )
  const rest = (type: string): Group => ({ key: `rest ${type}`, type, name: 'Other names' })
  return {
    of: (row) => {
      const group = byPattern.of(row)
      if (kept.has(group.key)) return group
      return rest(areTypesFew ? group.type : 'SPAN')
    },
    grouping: 'rest',
    names,
  }
}

type Counted = {
  of: (row: number) => Group
  sizes: Map<string, { group: Group; count: number }>
}

function count(tree: Tree, isStep: Uint8Array, nameFor: (name: string) => string): Counted {
  /** Names are kept once per tree, so each is read once. */
  const known = new Map<number, Group>()
  const of = (row: number): Group => {
    const place = (tree.name[row] ?? 0) * (tree.types.length + 1) + (tree.type[row] ?? 0)
    let group = known.get(place)
    if (!group) {
      const type = typeOf(tree, row)
      const name = nameFor(nameOf(tree, row).slice(0, longestName))
      group = { key: `${type} ${name}`, type, name }
      known.set(place, group)
    }
    return group
  }
  const sizes: Counted['sizes'] = new Map()
  for (let row = 0; row < tree.count; row++) {
    if (isStep[row] !== 1) continue
    const group = of(row)
    const before = sizes.get(group.key)
    if (before) before.count++
    else sizes.set(group.key, { group, count: 1 })
  }
  return { of, sizes }
}

/** A name without what differs between runs of one thing: numbers, and ids in hexadecimal. */
export function patternOf(name: string): string {
  return name
    .replaceAll(/\b(?=[\da-f-]*\d)[\da-f]{8,}(?:-[\da-f]{4,}){0,4}\b/giu, '#')
    .replaceAll(/\d+/gu, '#')
}

import type { TreeMode } from '../state'

/** Pixels per level, where there is room for them. */
const perLevel = 14

/** What is left for the type, the name and the icon that folds, in pixels. */
export const leastForName = 120

/** Even in the narrowest column, levels can be told apart. */
const leastRoom = 12

/** The part of the room in which each level has its full indent. */
const fullPart = 0.6

/** Levels that are closer together than this many pixels are numbered. */
const hardToTell = 5

/** The width of the column with the names, in a pane of this width; see treeColumns and timelineColumns. */
export function nameColumn(view: TreeMode, pane: number): number {
  if (view === 'timeline') return Math.max(96, pane * 0.42)
  return pane - (pane >= 512 ? 240 : pane >= 448 ? 168 : 80)
}

/** How much of a column may be taken by indents. */
export function roomFor(column: number): number {
  return Math.max(leastRoom, Math.floor(column) - leastForName)
}

/**
 * The indent of a level in pixels. Levels that fit have equal steps; beyond, steps become ever smaller, so that a child
 * is always further in than its parent and no indent exceeds the room.
 */
export function indentOf(level: number, room: number): number {
  const wanted = level * perLevel
  const full = room * fullPart
  if (wanted <= full) return wanted
  const rest = room - full
  const beyond = wanted - full
  return full + (rest * beyond) / (beyond + rest)
}

/** Whether the indent alone does not tell the level. */
export function isNumbered(level: number, room: number): boolean {
  return level > 0 && indentOf(level, room) - indentOf(level - 1, room) < hardToTell
}

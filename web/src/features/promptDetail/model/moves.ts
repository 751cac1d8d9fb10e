/** The move of a label as words. */
export function moveText(move: { label: string; from: number | null; to: number | null }): string {
  if (move.to === null) return `${move.label} was removed from v${move.from}`
  return move.from === null
    ? `${move.label} was given to v${move.to}`
    : `${move.label} moved from v${move.from} to v${move.to}`
}

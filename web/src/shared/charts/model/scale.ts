/** Round numbers from zero, or the least value if negative, to at least the greatest one, in roughly `about` steps. */
export function niceTicks(least: number, greatest: number, about = 4): number[] {
  const from = Math.min(0, least)
  const span = greatest - from
  if (!Number.isFinite(span) || span <= 0) return [from, from + 1]
  const raw = span / about
  const power = 10 ** Math.floor(Math.log10(raw))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= raw) ?? 10
  const step = factor * power
  const ticks: number[] = []
  for (let at = Math.floor(from / step); ; at += 1) {
    // Multiplied rather than accumulated: sums of 0.1 are not round.
    const tick = Number((at * step).toPrecision(12))
    ticks.push(tick)
    if (tick >= greatest) return ticks
  }
}

/** Maps values to pixels. */
export function linear(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  const span = to - from
  return (value) => (span === 0 ? start : start + ((value - from) / span) * (end - start))
}

/** At most `most` indexes of a list of that length, evenly spaced, starting with the first. */
export function spread(length: number, most: number): number[] {
  if (length === 0 || most === 0) return []
  const step = Math.max(1, Math.ceil(length / most))
  return Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step)
}

/** The index in a list of that length that is nearest to a fraction of its width. */
export function nearest(share: number, length: number): number {
  return Math.min(length - 1, Math.max(0, Math.floor(share * length)))
}

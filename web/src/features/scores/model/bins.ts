/** The bins of a score's values: ranges of numbers, or categories. */
export type Bins = {
  labels: string[]
  /** The index of a value's bin; -1 if there is none. */
  placeOf: (value: number | string) => number
}

const mostDistinct = 12

/** A few distinct numbers get a bin each; many share ranges of round width. */
export function numberBins(values: readonly number[], about = 10): Bins {
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  if (distinct.length <= mostDistinct) {
    return {
      labels: distinct.map(shortNumber),
      placeOf: (value) => (typeof value === 'number' ? distinct.indexOf(value) : -1),
    }
  }
  const least = distinct[0] ?? 0
  const greatest = distinct.at(-1) ?? 1
  const raw = (greatest - least) / about
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= raw) ?? 10) * power
  const first = Math.floor(least / step)
  const count = Math.max(1, Math.ceil(greatest / step) - first)
  const edge = (at: number) => shortNumber(Number(((first + at) * step).toPrecision(12)))
  return {
    labels: Array.from({ length: count }, (_, at) => `${edge(at)} – ${edge(at + 1)}`),
    placeOf: (value) =>
      typeof value === 'number' && value >= least && value <= greatest
        ? // The last range includes its upper end.
          Math.min(count - 1, Math.floor(value / step) - first)
        : -1,
  }
}

const mostCategories = 20
export const otherCategories = 'Others'

/** Categories in alphabetical order. If there are too many, the most frequent are kept and the rest share a bin. */
export function categoryBins(values: readonly string[]): Bins {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const bySize = [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value)
  const isMany = bySize.length > mostCategories
  const kept = (isMany ? bySize.slice(0, mostCategories - 1) : bySize).sort((a, b) =>
    a.localeCompare(b, undefined, { numeric: true }),
  )
  const places = new Map(kept.map((value, at) => [value, at]))
  return {
    labels: isMany ? [...kept, otherCategories] : kept,
    placeOf: (value) =>
      typeof value === 'string' ? (places.get(value) ?? (isMany ? kept.length : -1)) : -1,
  }
}

export function countPlaces(values: readonly (number | string)[], bins: Bins): number[] {
  const counts = bins.labels.map(() => 0)
  for (const value of values) {
    const place = bins.placeOf(value)
    if (counts[place] !== undefined) counts[place] += 1
  }
  return counts
}

/** A number in few digits: 0.333, 12.5, 1200. */
export function shortNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 1 : 3
  return String(Number(value.toFixed(digits)) || (value === 0 ? 0 : Number(value.toPrecision(2))))
}

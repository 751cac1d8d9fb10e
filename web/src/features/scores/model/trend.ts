import { sum } from './statistics'
import type { Point } from './points'

/** The mean of the numbers in each bucket; null where there are none. */
export function meansOver(
  points: readonly Point[],
  starts: readonly Date[],
  step: number,
): (number | null)[] {
  return bucketed(points, starts, step).map((values) => {
    const numbers = values.filter((value) => typeof value === 'number')
    return numbers.length === 0 ? null : sum(numbers) / numbers.length
  })
}

/** The share of a category in each bucket; null where there are no scores. */
export function sharesOver(
  points: readonly Point[],
  starts: readonly Date[],
  step: number,
  category: string,
): (number | null)[] {
  return bucketed(points, starts, step).map((values) =>
    values.length === 0
      ? null
      : values.filter((value) => value === category).length / values.length,
  )
}

function bucketed(
  points: readonly Point[],
  starts: readonly Date[],
  step: number,
): (number | string)[][] {
  const first = starts[0]?.getTime() ?? 0
  const buckets: (number | string)[][] = starts.map(() => [])
  for (const { at, value } of points) buckets[Math.floor((at - first) / step)]?.push(value)
  return buckets
}

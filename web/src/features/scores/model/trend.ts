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
  const times = starts.map((start) => start.getTime())
  const end = (times.at(-1) ?? 0) + step
  const buckets: (number | string)[][] = starts.map(() => [])
  for (const { at, value } of points) if (at < end) buckets[lastAtOrBefore(times, at)]?.push(value)
  return buckets
}

/** The index of the last of ascending times that is not after another one; -1 if all are. */
function lastAtOrBefore(times: readonly number[], at: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

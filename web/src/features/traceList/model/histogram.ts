import type { UiComponents } from '@/shared/api'

export type Histogram = UiComponents['schemas']['Histogram']

/** Where a bucket begins and ends. */
export function bucketTimes({ start, step }: Histogram, index: number): { from: Date; to: Date } {
  const from = new Date(start).getTime() + index * step
  return { from: new Date(from), to: new Date(from + step) }
}

/** The bucket at a fraction of the width. */
export function bucketAt(count: number, part: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(part * count)))
}

export type Bar = { index: number; height: number; errorHeight: number }

/** The heights of bars, from 0 to 1. Anything above zero is visible, however small, above all errors. */
export function barsOf(histogram: Histogram, least: number): Bar[] {
  const most = Math.max(1, ...histogram.buckets.map(({ count }) => count))
  const visible = (count: number) => (count === 0 ? 0 : Math.max(least, count / most))
  return histogram.buckets
    .map(({ count, errors }, index) => ({
      index,
      height: visible(count),
      errorHeight: Math.min(visible(errors), visible(count)),
    }))
    .filter(({ height }) => height > 0)
}

/** The time range of two buckets, in either order, and everything between them. */
export function brushed(histogram: Histogram, a: number, b: number): { from: Date; to: Date } {
  return {
    from: bucketTimes(histogram, Math.min(a, b)).from,
    to: bucketTimes(histogram, Math.max(a, b)).to,
  }
}

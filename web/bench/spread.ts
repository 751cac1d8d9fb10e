/** The summary of a list of samples. */
export type Spread = { p50: number; p95: number; least: number; most: number; count: number }

/** The quantiles are actual samples, without interpolation: of 20, p95 is the second largest. */
export function spread(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (quantile: number) => sorted[Math.ceil(quantile * sorted.length) - 1] ?? Number.NaN
  return {
    p50: at(0.5),
    p95: at(0.95),
    least: at(0.0001),
    most: at(1),
    count: sorted.length,
  }
}

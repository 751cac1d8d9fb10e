import { seriesTones, type ChartTone } from '../tone'

/** A series as it is asked for: one value for each bucket, null where there is none. */
export type RawSeries = {
  label: string
  values: readonly (number | null)[]
  /** What is left besides the others: it comes last, without a colour of its own. */
  isRest?: boolean
}
export type TonedSeries = Omit<RawSeries, 'isRest'> & { tone: ChartTone }

/** The name of what the smallest series are added up to. */
export const otherLabel = 'Other'

/**
 * Series with a colour each, the largest first. There are eight colours that can be told apart: with more series, the
 * smallest ones are added up, where sums make sense, or left out.
 */
export function toned(all: readonly RawSeries[], canAdd: boolean): TonedSeries[] {
  const series = all.filter(({ isRest }) => !isRest)
  const left = all.filter(({ isRest }) => isRest).map(({ label, values }) => ({ label, values }))
  return [...coloured(series, canAdd), ...left.map((each) => ({ ...each, tone: muted }))]
}

const muted: ChartTone = 'muted'

function coloured(series: readonly RawSeries[], canAdd: boolean): TonedSeries[] {
  const sorted = [...series].sort((a, b) => sum(b) - sum(a))
  const max = seriesTones.length
  if (sorted.length <= max) return sorted.map(withTone)
  if (!canAdd) return sorted.slice(0, max).map(withTone)
  const rest = sorted.slice(max - 1)
  const length = Math.max(...rest.map(({ values }) => values.length))
  const values = Array.from({ length }, (_, at) => {
    const there = rest.map((each) => each.values[at] ?? null).filter((value) => value !== null)
    return there.length === 0 ? null : there.reduce((a, b) => a + b, 0)
  })
  const own = sorted.slice(0, max - 1).map(withTone)
  return [...own, { label: unusedLabel(own), values, tone: 'muted' }]
}

/** A name for the rest that none of the others has: series are told apart by their names. */
function unusedLabel(others: readonly RawSeries[]): string {
  let label = otherLabel
  while (others.some((each) => each.label === label)) label = `All ${label.toLowerCase()}`
  return label
}

function withTone({ label, values }: RawSeries, at: number): TonedSeries {
  return { label, values, tone: seriesTones[at] ?? 'muted' }
}

function sum({ values }: RawSeries): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

/** Where the bars of each series begin and end when they stand on each other; values below zero count as zero. */
export function stacked(
  series: readonly RawSeries[],
  length: number,
): [from: number, to: number][][] {
  const tops = Array.from({ length }, () => 0)
  return series.map(({ values }) =>
    tops.map((from, at) => {
      const to = from + Math.max(0, values[at] ?? 0)
      tops[at] = to
      return [from, to]
    }),
  )
}

/** The buckets from one to another, in order, both included. */
export function between(a: number, b: number): { first: number; last: number } {
  return { first: Math.min(a, b), last: Math.max(a, b) }
}

/** The series whose bar in a bucket covers a value; undefined if none does. */
export function barAt(
  bars: readonly (readonly [from: number, to: number][])[],
  index: number,
  value: number,
): number | undefined {
  const at = bars.findIndex((bar) => {
    const [from, to] = bar[index] ?? [0, 0]
    return to > from && value >= from && value <= to
  })
  return at < 0 ? undefined : at
}

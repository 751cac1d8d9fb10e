/** How a figure changed from the previous range. */
export type Change = { text: string; direction: 'up' | 'down' | 'same' }

/** The change in percent; undefined if there is nothing to compare with. */
export function changeOf(now: number | undefined, before: number | undefined): Change | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined
  const share = (now - before) / before
  const percent = Math.abs(share) * 100
  if (percent < 0.5) return { text: 'no change', direction: 'same' }
  const text =
    share >= 9.995
      ? `${Math.round(share + 1)} times as much`
      : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`
  return { text, direction: share > 0 ? 'up' : 'down' }
}

/** The range of the same length that ends where this one begins. */
export function rangeBefore({ from, to }: { from: Date; to: Date }): { from: Date; to: Date } {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from }
}

/** Aligns the values of the previous range with those of this one at the end. */
export function alignBefore(values: readonly (number | null)[], length: number): (number | null)[] {
  const missing = length - values.length
  return missing > 0
    ? [...Array.from({ length: missing }, () => null), ...values]
    : values.slice(-missing)
}

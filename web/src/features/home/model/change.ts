/** How a figure changed against the range before. */
export type Change = { text: string; direction: 'up' | 'down' | 'same' }

/** The change in percent; nothing if there was nothing to compare with. */
export function changeOf(now: number | undefined, before: number | undefined): Change | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined
  const share = (now - before) / before
  const percent = Math.abs(share) * 100
  if (percent < 0.5) return { text: 'no change', direction: 'same' }
  const text =
    share >= 9.995
      ? `${Math.round(share + 1)} times as much`
      : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
  return { text, direction: share > 0 ? 'up' : 'down' }
}

/** The range of the same length right before. */
export function rangeBefore({ from, to }: { from: Date; to: Date }): { from: Date; to: Date } {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from }
}

/** The values of the range before under those of this one: the last stand below the last. */
export function alignBefore(values: readonly (number | null)[], length: number): (number | null)[] {
  const missing = length - values.length
  return missing > 0
    ? [...Array.from({ length: missing }, () => null), ...values]
    : values.slice(-missing)
}

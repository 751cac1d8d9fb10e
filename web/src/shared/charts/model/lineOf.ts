/** A path with gaps where values are missing; an isolated value is a dot. */
export function lineOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, at) => {
      if (value === null) return ''
      const isOpen = at > 0 && values[at - 1] !== null
      return `${isOpen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isOpen ? '' : 'h0'}`
    })
    .join('')
}

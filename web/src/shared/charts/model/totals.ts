type Maybe = number | null

/** The sum of the values that there are; null if there are none. */
export function sumOf(values: readonly (Maybe | undefined)[]): Maybe {
  const there = values.filter((value) => value !== null && value !== undefined)
  return there.length === 0 ? null : there.reduce((a, b) => a + b, 0)
}

/** The sums of the rows and of the columns of a pivot. */
export function totals(
  values: readonly (readonly Maybe[])[],
  width: number,
): { rows: Maybe[]; columns: Maybe[] } {
  return {
    rows: values.map(sumOf),
    columns: Array.from({ length: width }, (_, at) => sumOf(values.map((row) => row[at]))),
  }
}

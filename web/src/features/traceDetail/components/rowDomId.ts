/** The DOM id of a row. Observation ids may contain anything, so the row number is used. */
export function rowDomId(prefix: string, row: number): string {
  return `${prefix}-row-${row < 0 ? 'trace' : row}`
}

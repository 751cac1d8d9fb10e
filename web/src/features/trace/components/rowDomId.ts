/** The id of a row's element. Ids of observations may be anything, places in the tree are numbers. */
export function rowDomId(prefix: string, row: number): string {
  return `${prefix}-row-${row < 0 ? 'trace' : row}`
}

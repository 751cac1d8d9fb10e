/** The DOM id of a row, which the grid refers to as its active descendant. */
export function rowDomId(label: string, index: number): string {
  return `${label.toLowerCase().replace(/\W+/g, '-')}-row-${index}`
}

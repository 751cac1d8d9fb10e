/** The id of a row's element, which the grid names as its active descendant. */
export function rowDomId(label: string, index: number): string {
  return `${label.toLowerCase().replace(/\W+/g, '-')}-row-${index}`
}

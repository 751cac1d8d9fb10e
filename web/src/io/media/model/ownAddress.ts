/**
 * The address of a file at the origin that the page has. The server signs the path; what it is called from outside may differ
 * from where the page was opened, and the page loads nothing from elsewhere.
 */
export function ownAddress(address: string, origin: string): string {
  const { pathname, search } = new URL(address, origin)
  return origin + pathname + search
}

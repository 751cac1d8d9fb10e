/**
 * The URL of a file at the origin of the page. The server signs the path; its public URL may differ from where the page
 * was opened, and the page loads nothing from other origins.
 */
export function sameOriginUrl(address: string, origin: string): string {
  const { pathname, search } = new URL(address, origin)
  return origin + pathname + search
}

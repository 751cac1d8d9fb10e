/**
 * The rows of a page as text, without parsing them: numbers keep all their digits. A page is {"data":[…],"meta":{…}}.
 */
export function rowsText(page: string): string {
  const from = page.indexOf('[')
  const to = page.lastIndexOf('],"meta"')
  if (from < 0 || to < from) throw new Error('The server’s response was not understood.')
  return page.slice(from + 1, to)
}

/** The cursor of the next page, if there is one. */
export function nextCursor(page: string): string | undefined {
  const meta: unknown = JSON.parse(
    page.slice(page.lastIndexOf('],"meta":') + '],"meta":'.length, -1),
  )
  const cursor =
    typeof meta === 'object' && meta !== null && 'cursor' in meta ? meta.cursor : undefined
  return typeof cursor === 'string' ? cursor : undefined
}

/** A file name that is valid on every system. */
export function fileName(traceId: string): string {
  return `trace-${traceId.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 100)}.json`
}

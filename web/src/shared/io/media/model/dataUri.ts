/** The type and size of a data URI, according to its header. */
export type DataUri = { type: string; isBase64: boolean; bytes: number; start: number }

export function readDataUri(uri: string): DataUri | undefined {
  const comma = uri.indexOf(',')
  if (!/^data:/i.test(uri) || comma === -1 || comma > 200) return undefined
  const [type = '', ...rest] = uri.slice(5, comma).split(';')
  const isBase64 = rest.at(-1)?.trim().toLowerCase() === 'base64'
  const length = uri.length - comma - 1
  return {
    type: type.trim().toLowerCase() || 'text/plain',
    isBase64,
    bytes: isBase64 ? Math.floor((length * 3) / 4) : length,
    start: comma + 1,
  }
}

/** The bytes of a data URI as a blob of its type, or undefined if they cannot be decoded. */
export function blobOf(uri: string): Blob | undefined {
  const head = readDataUri(uri)
  if (!head) return undefined
  try {
    const body = uri.slice(head.start)
    const { type } = head
    if (!head.isBase64) return new Blob([decodeURIComponent(body)], { type })
    const plain = atob(body.replace(/-/g, '+').replace(/_/g, '/').replace(/\s/g, ''))
    return new Blob([Uint8Array.from(plain, (char) => char.charCodeAt(0))], { type })
  } catch {
    return undefined
  }
}

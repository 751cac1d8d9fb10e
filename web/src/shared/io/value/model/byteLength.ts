/** The length of a text in UTF-8 bytes, as the server counts it. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

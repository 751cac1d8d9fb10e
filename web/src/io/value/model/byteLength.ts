/** How many bytes a text takes in UTF-8, as the server counts it. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

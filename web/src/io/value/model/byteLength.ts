/** How many bytes a text takes in UTF-8, as the server counts it. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    bytes++
    if (code < 0x800) continue
    bytes++
    // Two units that are one letter take four bytes together.
    if (code >= 0xd800 && code <= 0xdbff && isSecondUnit(text.charCodeAt(at + 1))) at++
  }
  return bytes
}

function isSecondUnit(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

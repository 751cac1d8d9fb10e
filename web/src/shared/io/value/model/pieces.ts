/**
 * Splits a text into pieces of about the given size, at line ends if possible: the offsets of all pieces and the end.
 * Surrogate pairs are not split.
 */
export function pieces(text: string, size = 2000): number[] {
  const offsets = [0]
  let at = 0
  while (at < text.length) {
    const line = text.slice(at, at + size).lastIndexOf('\n')
    let next = at + (line >= size / 2 ? line + 1 : size)
    const code = text.charCodeAt(next - 1)
    if (next < text.length && code >= 0xd800 && code <= 0xdbff) next--
    at = Math.min(text.length, next)
    offsets.push(at)
  }
  return offsets
}

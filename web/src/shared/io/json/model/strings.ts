import { stringEnd } from './buildIndex'

const short: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * The content of a JSON string: `\u5f53` is 当. `start` is its opening quotation mark; without a closing one it extends
 * to the end.
 */
export function decodeString(text: string, start: number, end: number): string {
  const isClosed = end - start > 1 && stringEnd(text, start) === end
  return unescape(text.slice(start + 1, isClosed ? end - 1 : end))
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (_, hex: string | undefined, one: string) =>
      hex === undefined ? (short[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The name of a member, given the offset of its opening quotation mark. */
export function decodeKey(text: string, start: number): string {
  const end = stringEnd(text, start)
  return unescape(end === -1 ? text.slice(start + 1) : text.slice(start + 1, end - 1))
}

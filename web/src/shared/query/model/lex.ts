/** A place in the text: from `start` up to, but not including, `end`. */
export type Span = { start: number; end: number }

/** A piece of the text, and its position. */
export type Piece = Span & { text: string; quoted: boolean; closed: boolean }

const quotes: Record<string, string> = { '"': '"', '“': '”', '„': '“' }

/** Whitespace of any script, including the ideographic space. */
export function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/u.test(character)
}

export function skipSpaces(text: string, at: number): number {
  let next = at
  while (isSpace(text[next])) next += 1
  return next
}

/** A colon, including the full-width one. */
export function isColon(character: string | undefined): boolean {
  return character === ':' || character === '：'
}

export function isQuote(character: string | undefined): boolean {
  return character !== undefined && Object.hasOwn(quotes, character)
}

/**
 * Reads a quoted string; a backslash escapes the next character. Without a closing quote it extends to the end of the
 * text.
 */
export function readQuoted(text: string, start: number): Piece {
  const close = quotes[text[start] ?? ''] ?? '"'
  let found = ''
  let at = start + 1
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '\\' && at + 1 < text.length) {
      found += text[at + 1] ?? ''
      at += 2
      continue
    }
    if (character === close || (character === '"' && close !== '“'))
      return { text: found, quoted: true, closed: true, start, end: at + 1 }
    found += character
    at += 1
  }
  return { text: found, quoted: true, closed: false, start, end: text.length }
}

/** Reads up to whitespace or one of the stop characters. */
export function readBare(text: string, start: number, stops = ''): Piece {
  let at = start
  while (at < text.length && !isSpace(text[at]) && !stops.includes(text[at] ?? '')) at += 1
  return { text: text.slice(start, at), quoted: false, closed: true, start, end: at }
}

/** The comparison that a value begins with. */
export type Comparison = '>' | '>=' | '<' | '<=' | '='

export function readComparison(
  text: string,
  at: number,
): { comparison: Comparison | undefined; end: number } {
  const two = text.slice(at, at + 2)
  if (two === '>=' || two === '<=') return { comparison: two, end: at + 2 }
  const one = text[at]
  if (one === '>' || one === '<' || one === '=') return { comparison: one, end: at + 1 }
  return { comparison: undefined, end: at }
}

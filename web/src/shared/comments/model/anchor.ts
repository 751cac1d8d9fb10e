/** The part of a text that a comment refers to: a range of one of the strings in the JSON of a field. */
export type Anchor = {
  dataField: 'input' | 'output' | 'metadata'
  path: string[]
  rangeStart: number
  rangeEnd: number
}

const longestQuote = 2000
const longestText = 1_000_000

/**
 * Finds a quote in the stored text of a field: in one of the strings of its JSON, or in the text itself. Text selected
 * on a page may have different whitespace. A quote that spans several strings, or formatting, cannot be located.
 */
export function locate(
  dataField: Anchor['dataField'],
  text: string,
  quote: string,
): Anchor | undefined {
  const pattern = flexible(quote)
  if (!pattern || text.length > longestText) return undefined
  for (const { path, value } of textsIn(text)) {
    const found = pattern.exec(value)
    if (found)
      return {
        dataField,
        path,
        rangeStart: found.index,
        rangeEnd: found.index + found[0].length,
      }
  }
  return undefined
}

/** The text that an anchor quotes; undefined if the text has no such range. */
export function quoteOf(text: string, anchor: Anchor): string | undefined {
  if (text.length > longestText) return undefined
  let value = parsed(text)
  for (const step of anchor.path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  if (typeof value !== 'string') return undefined
  const quote = value.slice(anchor.rangeStart, anchor.rangeEnd)
  return quote === '' ? undefined : quote
}

/** The anchor of a comment, if it has one. */
export function anchorOf(comment: {
  dataField?: string
  path?: string[]
  rangeStart?: number
  rangeEnd?: number
}): Anchor | undefined {
  const { dataField, path, rangeStart, rangeEnd } = comment
  if (dataField !== 'input' && dataField !== 'output' && dataField !== 'metadata') return undefined
  if (path === undefined || rangeStart === undefined || rangeEnd === undefined) return undefined
  return { dataField, path, rangeStart, rangeEnd }
}

/** Finds a quote in consecutive pieces of text, such as the text nodes of a page. */
export function placesOf(
  pieces: readonly string[],
  quote: string,
): { from: { piece: number; at: number }; to: { piece: number; at: number } }[] {
  const pattern = flexible(quote, 'g')
  if (!pattern) return []
  const starts: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length)
    length += piece.length
  }
  const place = (at: number, isEnd: boolean) => {
    // The end of a range is in the piece of its last character.
    const wanted = isEnd ? at - 1 : at
    let piece = 0
    while (piece + 1 < starts.length && (starts[piece + 1] ?? 0) <= wanted) piece++
    return { piece, at: at - (starts[piece] ?? 0) }
  }
  return [...pieces.join('').matchAll(pattern)].slice(0, 20).map((found) => ({
    from: place(found.index, false),
    to: place(found.index + found[0].length, true),
  }))
}

/** A pattern for a quote with any whitespace between its words. */
function flexible(quote: string, flags = ''): RegExp | undefined {
  const words = quote.trim().split(/\s+/)
  if (quote.trim() === '' || quote.length > longestQuote) return undefined
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(escaped.join(String.raw`\s+`), flags)
}

function parsed(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Found = { path: string[]; value: string }

/** All strings in a JSON text with their paths, in order; for any other text, the text itself. */
function textsIn(text: string): Found[] {
  const found: Found[] = []
  const walk = (value: unknown, path: string[]) => {
    if (typeof value === 'string') found.push({ path, value })
    else if (typeof value === 'object' && value !== null && path.length < 100)
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name])
  }
  walk(parsed(text), [])
  return found
}

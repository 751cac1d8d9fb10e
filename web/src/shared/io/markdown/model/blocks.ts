import { Lexer, type Token } from 'marked'

/** Longer texts are not parsed as Markdown: it takes too long, and nobody formats that much by hand. */
export const longestMarkdown = 100_000

/** About one screen of text; the rest is shown on demand. */
export const shownAtFirst = 4000

/** The blocks of a text, or undefined if it cannot be parsed as Markdown. */
export function blocksOf(text: string): Token[] | undefined {
  if (text.length > longestMarkdown || isDense(text)) return undefined
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text)
  } catch {
    return undefined // nested deeper than the call stack allows
  }
}

/** The time to parse a paragraph grows faster than the number of these characters in it. */
const signs = /[*_~`<>[\]!\\]/g
const mostSigns = 2000

/** Reports whether a paragraph has more of these characters than anybody writes. Code may have any number. */
export function isDense(text: string): boolean {
  if ((text.match(signs)?.length ?? 0) <= mostSigns) return false
  let count = 0
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (line.trim() === '') count = 0
    else if (!isCode) count += line.match(signs)?.length ?? 0
    if (count > mostSigns) return true
  }
  return false
}

/** How many blocks are shown at first: all of them if only a little would be left out. */
export function blocksAtFirst(blocks: readonly Token[], most = shownAtFirst): number {
  const total = blocks.reduce((sum, block) => sum + block.raw.length, 0)
  if (total <= most * 1.5) return blocks.length
  let length = 0
  for (const [at, block] of blocks.entries()) {
    length += block.raw.length
    if (length > most) return Math.max(1, at)
  }
  return blocks.length
}

/** The beginning of a text, cut between two paragraphs if possible. */
export function beginningOf(text: string, most = shownAtFirst): string {
  if (text.length <= most * 1.5) return text
  const piece = text.slice(0, most)
  const paragraph = piece.lastIndexOf('\n\n')
  return paragraph > most / 2 ? piece.slice(0, paragraph) : piece
}

/** A URL that a text may link to, or undefined if it is not safe. */
export function safeAddress(address: string): string | undefined {
  try {
    // Throws without a scheme: a relative link would lead to a page of this application, which the text cannot mean.
    const url = new URL(address)
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}

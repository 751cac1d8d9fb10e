import type { Doc, DocSection } from './doc'

/** A section in which every word was found. */
export type Found = { page: string; title: string; section: DocSection; excerpt: Piece[] }

/** A part of a text, and whether it was searched for. */
export type Piece = { text: string; isHit: boolean }

/** More than anybody reads; whoever wants the rest adds a word. */
export const mostShown = 50

const before = 60
const longest = 220

/** The sections that contain every word of a query, best first: those with the words in their heading. */
export function findInDocs(docs: readonly Doc[], query: string): Found[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return docs
    .flatMap(({ page, title, sections }) =>
      sections.map((section) => ({
        page,
        title,
        section,
        score: scoreOf(title, section, words),
      })),
    )
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score) // stable: otherwise as listed
    .map(({ page, title, section }) => ({
      page,
      title,
      section,
      excerpt: excerptOf(section.text, words),
    }))
}

function wordsOf(query: string): string[] {
  return [
    ...new Set(
      query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ]
}

const inHeading = 10
const atStartOfWord = 5
const inTitle = 3
const mostInText = 3

/** How well a section fits; 0 if it lacks a word. */
function scoreOf(title: string, section: DocSection, words: readonly string[]): number {
  const heading = section.title.toLowerCase()
  const text = section.text.toLowerCase()
  const page = title.toLowerCase()
  let score = 0
  for (const word of words) {
    const inText = Math.min(mostInText, text.split(word).length - 1)
    if (inText === 0 && !heading.includes(word) && !page.includes(word)) return 0
    if (heading.includes(word)) score += inHeading
    if (` ${heading}`.includes(` ${word}`)) score += atStartOfWord
    if (page.includes(word)) score += inTitle
    score += inText
  }
  // What is only in the title is on the page's first section already.
  return words.some((word) => heading.includes(word) || text.includes(word)) ? score : 0
}

/** The text around the first word that is found, with all words marked. */
function excerptOf(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase()
  // Lower case may have another length in some scripts; places would then be wrong.
  if (lower.length !== text.length) return marked(text.slice(0, longest), [])
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  let start = Math.max(0, first - before)
  if (start > 0) {
    const space = text.indexOf(' ', start)
    start = space >= 0 && space < first ? space + 1 : first
  }
  const end = Math.min(text.length, start + longest)
  const shown = (start > 0 ? '…' : '') + text.slice(start, end) + (end < text.length ? '…' : '')
  return marked(shown, words)
}

/** A text cut into what was searched for and what was not. */
export function marked(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase()
  const pieces: Piece[] = []
  let done = 0
  const add = (to: number, isHit: boolean) => {
    if (to > done) pieces.push({ text: text.slice(done, to), isHit })
    done = to
  }
  while (lower.length === text.length && done < text.length) {
    let at = -1
    let length = 0
    for (const word of words) {
      const found = lower.indexOf(word, done)
      if (found >= 0 && (at < 0 || found < at || (found === at && word.length > length))) {
        at = found
        length = word.length
      }
    }
    if (at < 0) break
    add(at, false)
    add(at + length, true)
  }
  add(text.length, false)
  return pieces
}

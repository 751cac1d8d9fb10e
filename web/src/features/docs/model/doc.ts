import { Lexer, type Token, type Tokens } from 'marked'

/** A heading with what follows it, up to the next heading of any depth. */
export type DocSection = {
  anchor: string
  title: string
  depth: number
  heading: readonly Token[]
  blocks: readonly Token[]
  /** What is searched: the blocks without most of their markup. */
  text: string
}

/** A page of the documentation. The first section is the page's own heading. */
export type Doc = { page: string; title: string; sections: readonly DocSection[] }

/** Reads the Markdown text of a page. */
export function readDoc(page: string, markdown: string): Doc {
  const found: (Omit<DocSection, 'text' | 'blocks'> & { blocks: Token[] })[] = []
  const anchorOf = anchors()
  for (const token of new Lexer({ gfm: true }).lex(markdown)) {
    if (isHeading(token)) {
      const title = plainText(token.text)
      const anchor = anchorOf(token.text)
      found.push({ anchor, title, depth: token.depth, heading: token.tokens, blocks: [] })
    } else if (!isNote(token)) found.at(-1)?.blocks.push(token)
  }
  const sections = found.map((section) => ({
    ...section,
    text: plainText(section.blocks.map(({ raw }) => raw).join('')),
  }))
  return { page, title: sections[0]?.title ?? page, sections }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** Comments are for those who edit the file. */
const isNote = ({ type, raw }: Token) => type === 'html' && raw.trimStart().startsWith('<!--')

/** Names headings as code hosts do, which is what links in the files refer to; equal ones get a number. */
function anchors(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = used.get(name) ?? 0
    used.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}

/** Markdown as the words that a reader sees, on one line. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^(?:#+|[-*]|\d+\.|```.*|\|[-| :]+)(?=\s|$)/gm, '')
    .replaceAll(/\*\*|`|(?<!\S)\*(?=\S)|(?<=\S)\*(?!\S)|\|/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

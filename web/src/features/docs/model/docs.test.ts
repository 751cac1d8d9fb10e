import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Token } from 'marked'
import { expect, test } from 'vitest'
import { allDocsQuery, pictureAddress } from '../api/files'
import { contents, entryOf } from './contents'
import { plainText, readDoc, type Doc } from './doc'
import { resolveLink } from './links'

const root = join(import.meta.dirname, '../../../../..')
const listed = contents.flatMap((group) => group.pages)
const docs = await allDocsQuery.queryFn()

/** All tokens of a page, those inside of others included. */
function* tokensOf(value: unknown): Generator<Token> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'raw' in value) yield value as Token
  for (const each of Object.values(value)) yield* tokensOf(each)
}

const tokens = docs.flatMap((doc) =>
  [...tokensOf(doc.sections)].map((token) => ({ page: doc.page, token })),
)

const targets = tokens.flatMap(({ page, token }) =>
  token.type === 'link'
    ? [{ page, link: resolveLink(token.href, page, (name) => entryOf(name) !== undefined) }]
    : [],
)

test('every page of docs/ is listed once, under its own heading', () => {
  const files = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(
    listed.map(({ page }) => `${page}.md`).toSorted(),
    'list it in features/docs/model/contents.ts',
  ).toEqual(files.toSorted())
  expect(listed.map(({ page, title }) => [page, title])).toEqual(
    docs.map(({ page, sections }) => [page, sections[0]?.title]),
  )
})

test('every page has one heading of its own, with an address that nothing else has', () => {
  for (const { page, sections } of docs) {
    expect(sections.filter(({ depth }) => depth === 1).length, page).toBe(1)
    const anchors = sections.map(({ anchor }) => anchor)
    expect(anchors, page).toEqual([...new Set(anchors)])
    expect(anchors, `${page} has a heading with the id of the frame`).not.toContain('page')
    expect(anchors, page).not.toContain('')
  }
})

test('every link to another page leads to a heading that is there', () => {
  const pages = targets.flatMap(({ page, link }) => (link.kind === 'page' ? { page, link } : []))
  expect(pages.length).toBeGreaterThan(80)
  const broken = pages.filter(({ link }) => {
    const doc = docs.find(({ page }) => page === link.page)
    return link.anchor !== '' && !doc?.sections.some(({ anchor }) => anchor === link.anchor)
  })
  expect(broken).toEqual([])
})

test('files of the source code that pages refer to exist', () => {
  const files = targets.flatMap(({ page, link }) =>
    link.kind === 'source' && !existsSync(join(root, link.path)) ? { page, link } : [],
  )
  expect(files).toEqual([])
})

test('every picture is there, and says what it shows', () => {
  const pictures = tokens.flatMap(({ token }) => (token.type === 'image' ? token : []))
  expect(pictures.length).toBeGreaterThan(4)
  for (const picture of pictures) {
    expect(pictureAddress(picture.href), picture.href).toMatch(/\.(?:png|svg)/)
    expect(picture.text, picture.href).not.toBe('')
  }
})

test('no page contains HTML, which would be shown as it is written', () => {
  expect(tokens.filter(({ token }) => token.type === 'html' || token.type === 'def')).toEqual([])
  // Entities would be shown as they are written, too.
  const words = tokens.flatMap(({ token }) => (token.type === 'text' ? token.raw : []))
  expect(words.filter((word) => /&#?\w+;/.test(word))).toEqual([])
})

test('everything that a file says is on its page', () => {
  for (const { page, sections } of docs) {
    const text = readFileSync(join(root, `docs/${page}.md`), 'utf8')
    const shown = sections.map(({ blocks }) => blocks.map(({ raw }) => raw).join('')).join('')
    const lines = text.split('\n').filter((line) => !/^(?:#|<!--|\s*$)/.test(line))
    expect(
      lines.filter((line) => !shown.includes(line.trim())),
      page,
    ).toEqual([])
  }
})

const read = (markdown: string): Doc => readDoc('example', markdown)

test('headings get the addresses that code hosts give them', () => {
  const { title, sections } = read(
    '# Words: `matches` & more\n\nx\n\n## Über_all\n\n## A - B\n\n## Limits\n\n```\n# no heading\n```\n\n## Limits\n',
  )
  expect(title).toBe('Words: matches & more')
  expect(sections.map(({ anchor, depth }) => [anchor, depth])).toEqual([
    ['words-matches--more', 1],
    ['über_all', 2],
    ['a---b', 2],
    ['limits', 2],
    ['limits-1', 2],
  ])
  expect(sections[3]?.text).toBe('no heading')
})

test('what is before the first heading is nowhere, and comments are left out', () => {
  const { sections } = read('before\n\n# A\n\n<!-- made by a program -->\n\nafter\n')
  expect(sections.map(({ text }) => text)).toEqual(['after'])
})

test.each([
  ['a [link](x.md#y) and **bold** `code`', 'a link and bold code'],
  ['| a | b |\n|---|---|\n| 1 | 2 * 3 |', 'a b 1 2 * 3'],
  ['- one\n- *two*\n1. three', 'one two three'],
  ['```sh\nexport A=1\n```', 'export A=1'],
  ['![A picture](pictures/a.png)', 'A picture'],
])('%j reads as %j', (markdown, text) => expect(plainText(markdown)).toBe(text))

const isPage = (name: string) => ['finding', 'reading'].includes(name)

test.each([
  ['#a-b', { kind: 'page', page: 'finding', anchor: 'a-b' }],
  ['reading.md', { kind: 'page', page: 'reading', anchor: '' }],
  ['reading.md#%C3%BCber', { kind: 'page', page: 'reading', anchor: 'über' }],
  ['../docs/reading.md#x', { kind: 'page', page: 'reading', anchor: 'x' }],
  ['decisions/001-one.md', { kind: 'source', path: 'docs/decisions/001-one.md' }],
  ['missing.md', { kind: 'source', path: 'docs/missing.md' }],
  ['../api/openapi.yaml', { kind: 'source', path: 'api/openapi.yaml' }],
  ['../../../outside', { kind: 'source', path: 'outside' }],
  ['https://example.org/x.md', { kind: 'web', address: 'https://example.org/x.md' }],
])('on the page finding, %s is %o', (href, link) =>
  expect(resolveLink(href, 'finding', isPage)).toEqual(link),
)

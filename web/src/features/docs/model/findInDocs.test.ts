import { expect, test } from 'vitest'
import { readDoc } from './doc'
import { findInDocs, marked } from './findInDocs'

const docs = [
  readDoc(
    'retention',
    '# Retention\n\nData can be limited by age.\n\n## By age\n\nEvents are deleted after some days.\n',
  ),
  readDoc(
    'operations',
    '# Running\n\nx\n\n## Backup\n\nA backup is one file. `almanac backup` makes a backup.\n\n' +
      `## Upgrades\n\n${'Lots of words. '.repeat(40)}Make a BACKUP first. ${'More words. '.repeat(40)}`,
  ),
]

const anchors = (query: string) =>
  findInDocs(docs, query).map(({ page, section }) => `${page}#${section.anchor}`)

test('sections with the words in their heading come first', () => {
  expect(anchors('backup')).toEqual(['operations#backup', 'operations#upgrades'])
  expect(anchors('age')).toEqual(['retention#by-age', 'retention#retention'])
})

test('every word must be there, in any order and case', () => {
  expect(anchors('FILE backup')).toEqual(['operations#backup'])
  expect(anchors('file upgrades')).toEqual([])
  expect(anchors('  ')).toEqual([])
})

test('the title of the page counts, but does not stand for all of its sections', () => {
  expect(anchors('retention days')).toEqual(['retention#by-age'])
  expect(anchors('retention')).toEqual(['retention#retention'])
})

test('signs mean nothing but themselves', () => {
  expect(anchors('.*')).toEqual([])
  expect(anchors('(')).toEqual([])
})

test('the excerpt is around what was found, which is marked', () => {
  const [, found] = findInDocs(docs, 'backup')
  const text = found?.excerpt.map((piece) => piece.text).join('') ?? ''
  expect(text).toMatch(/^…\S.*Make a BACKUP first\..*…$/)
  expect(text.length).toBeLessThan(230)
  expect(found?.excerpt.filter(({ isHit }) => isHit)).toEqual([{ text: 'BACKUP', isHit: true }])
})

test.each([
  ['abcab', ['ab'], '[ab]c[ab]'],
  ['backups', ['back', 'backup'], '[backup]s'],
  ['nothing', ['x'], 'nothing'],
  ['', ['x'], ''],
  // In lower case it is longer.
  ['İab', ['ab'], 'İab'],
])('in %j, %j are marked: %s', (text, words, expected) => {
  const shown = marked(text, words).map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
  expect(shown.join('')).toBe(expected)
})

import { expect, test } from 'vitest'
import { firstFiles, isChanged, newFile, problemsOf, requestOf, sortedFiles } from './files'

test('a new skill begins with what it needs', () => {
  expect(problemsOf(firstFiles()).size).toBe(0)
})

test('files that have not changed are sent as their hash', () => {
  const same = newFile('a.txt', 'a', 'hash-a')
  const changed = { ...newFile('b.txt', 'b', 'hash-b'), content: 'B' }
  expect(requestOf([same, changed, newFile(' c.txt ', '')], ' why ')).toEqual({
    files: [
      { path: 'a.txt', sha256Hash: 'hash-a' },
      { path: 'b.txt', content: 'B' },
      { path: 'c.txt', content: '' },
    ],
    commitMessage: 'why',
  })
})

test.each(['', '/a', 'a//b', '../a', './a', 'a\\b', 'c:a', 'x'.repeat(501)])(
  'the path %j is refused',
  (path) => {
    const file = newFile(path)
    expect(problemsOf([newFile('SKILL.md'), file]).get(file.id)).toBeDefined()
  },
)

test('what all files together lack', () => {
  const twice = [newFile('SKILL.md'), newFile('SKILL.md')]
  expect(problemsOf(twice).get(twice[1]?.id ?? '')).toMatch('Another file')
  expect(problemsOf([newFile('a')]).get('')).toMatch('needs a file SKILL.md')
  const many = [newFile('SKILL.md'), ...Array.from({ length: 200 }, (_, n) => newFile(`f${n}`))]
  expect(problemsOf(many).get('')).toMatch('at most 200')
  const big = newFile('SKILL.md', 'ä'.repeat(600_000))
  expect(problemsOf([big]).get(big.id)).toMatch('1 MB')
})

test('the main file comes first', () => {
  const paths = sortedFiles([{ path: 'b' }, { path: 'SKILL.md' }, { path: 'A' }])
  expect(paths.map(({ path }) => path)).toEqual(['SKILL.md', 'A', 'b'])
})

test('changes are noticed', () => {
  const start = [newFile('a', 'x')]
  expect(isChanged(start, start)).toBe(false)
  expect(isChanged([...start], start)).toBe(false)
  expect(isChanged([newFile('a', 'y')], start)).toBe(true)
  expect(isChanged([], start)).toBe(true)
})

import { expect, test } from 'vitest'
import { fileNameOf, importBody, joinLists, maxEntries, readEntries } from './files'

test('lists are joined without touching their entries', () => {
  expect(joinLists(['[{"n":12345678901234567890}]', '[]', ' [ {"m":1.0} ]\n'])).toBe(
    '[\n{"n":12345678901234567890},\n{"m":1.0}\n]\n',
  )
  expect(joinLists([])).toBe('[]\n')
})

test.each([
  ['support/greeting', 'prompts-support-greeting.json'],
  ['a 当 b', 'prompts-a-b.json'],
  ['', 'prompts-all.json'],
  ['当', 'prompts-all.json'],
])('%s is saved as %s', (what, name) => {
  expect(fileNameOf(what)).toBe(name)
})

test.each([
  ['{', 'not JSON'],
  ['{"name":"a"}', 'not a list'],
  ['[]', 'empty'],
  ['[{"name":"a"},3]', 'Entry 2 is not an object'],
  [`[${Array.from({ length: maxEntries + 1 }, () => '{}').join(',')}]`, '501 versions'],
])('%s is refused', (text, problem) => {
  expect(readEntries(text).problem).toContain(problem)
})

test('what is sent has the digits of the file', () => {
  const { entries = [] } = readEntries('[{"name":"a","config":{"seed":12345678901234567890}}]')
  const body = importBody(entries, { onExists: 'skip', labels: 'drop' }, true)
  expect(body).toBe(
    '{"entries":[{"name":"a","config":{"seed":12345678901234567890}}],"onExists":"skip","labels":"drop","dryRun":true}',
  )
})

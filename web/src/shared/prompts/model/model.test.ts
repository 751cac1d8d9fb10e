import { expect, test } from 'vitest'
import { alignParts } from './alignParts'
import { blocksOf } from './blocks'
import { isEmptyConfig, partsOf, type PromptBody, type PromptPart } from './body'
import { marksOf, namesIn, writeReference } from './marks'
import { readVersion } from './readVersion'

const tag = (inner: string) => `@@@langfusePrompt:${inner}@@@`

test('variables and references are found where they are', () => {
  const text = `Hi {{name}}, ${tag('name=a/b|label=production')} {{ topic }}${tag('name=c|version=7')}`
  expect(marksOf(text).map(({ from, to }) => text.slice(from, to))).toEqual([
    '{{name}}',
    tag('name=a/b|label=production'),
    '{{ topic }}',
    tag('name=c|version=7'),
  ])
  expect(marksOf(text)[1]).toMatchObject({ reference: { name: 'a/b', label: 'production' } })
  expect(marksOf(text)[3]).toMatchObject({ reference: { name: 'c', version: 7 } })
})

test.each([
  'label=production',
  'name=|label=x',
  'name=a|label=',
  'name=a|version=0',
  'name=a|version=x',
  'name=a|version=2147483648',
  'name=a|label=b|label=c',
  'name=a',
])('%s is no reference', (inner) => {
  expect(marksOf(tag(inner))).toEqual([])
})

test('what is written as a reference is read as it, and braces in its name are no variable', () => {
  const reference = { name: 'a {{b}}', label: 'x' }
  expect(marksOf(writeReference(reference))).toMatchObject([{ kind: 'reference', reference }])
  expect(marksOf('@@@langfusePrompt:name=a {{b}}')).toMatchObject([{ kind: 'variable', name: 'b' }])
})

test('names are listed once, in order', () => {
  const body: PromptBody = {
    type: 'chat',
    prompt: [
      { role: 'system', content: `{{b}} {{a}} ${tag('name=x|version=1')}` },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: `{{a}} ${tag('name=x|version=1')} ${tag('name=x|label=l')}` },
    ],
    config: '{}',
  }
  expect(namesIn(body)).toEqual({
    variables: ['b', 'a'],
    placeholders: ['history'],
    references: [
      { name: 'x', version: 1 },
      { name: 'x', label: 'l' },
    ],
  })
  expect(partsOf(body)[1]).toEqual({ kind: 'placeholder', role: '', text: 'history' })
})

test('a version keeps the digits of its config', () => {
  const row = '"id":"i","version":7,"labels":["latest"],"references":[],"problem":null'
  const read = readVersion(
    `{${row},"type":"chat","prompt":[{"role":"user","content":"hi"},{"type":"placeholder","name":"h"}],
      "config":{"seed":12345678901234567890},
      "resolved":{"prompt":[{"role":"user","content":"resolved"}],
        "dependencies":{"i":[{"id":"x","name":"b","version":2}],"x":[{"id":"y","name":"a","version":1},{"id":"x","name":"b","version":2}]}}}`,
  )
  expect(read.body).toEqual({
    type: 'chat',
    prompt: [
      { role: 'user', content: 'hi' },
      { type: 'placeholder', name: 'h' },
    ],
    config: '{"seed":12345678901234567890}',
  })
  expect(read.resolved?.body.prompt).toEqual([{ role: 'user', content: 'resolved' }])
  expect(read.resolved?.inserted).toEqual([
    { name: 'a', version: 1 },
    { name: 'b', version: 2 },
  ])
  expect(read.version).toBe(7)
})

test.each([
  ['{}', true],
  [' { } ', true],
  ['', true],
  ['{"a":1}', false],
  ['[]', false],
])('the config %s is empty: %s', (config, isEmpty) => {
  expect(isEmptyConfig(config)).toBe(isEmpty)
})

const message = (role: string, text: string): PromptPart => ({ kind: 'message', role, text })
const kinds = (a: PromptPart[], b: PromptPart[]) =>
  alignParts(a, b).map((pair) =>
    [
      pair.kind,
      'before' in pair ? pair.before.text : '',
      'after' in pair ? pair.after.text : '',
    ].join(' '),
  )

test('messages stand beside those that they came from', () => {
  const system = message('system', 'You answer questions about trains.')
  const ask = message('user', 'When does {{train}} leave?')
  expect(kinds([system, ask], [system, ask])).toEqual([
    `same ${system.text} ${system.text}`,
    `same ${ask.text} ${ask.text}`,
  ])
  const example = message('user', 'An example')
  expect(kinds([system, ask], [system, example, message('assistant', 'Yes'), ask])).toEqual([
    `same ${system.text} ${system.text}`,
    'added  An example',
    'added  Yes',
    `same ${ask.text} ${ask.text}`,
  ])
  // The one that says much the same, not the first of that role.
  const asked = message('user', 'When does {{train}} leave today?')
  expect(kinds([ask], [example, asked])).toEqual([
    'added  An example',
    `changed ${ask.text} ${asked.text}`,
  ])
  const developer = message('developer', system.text)
  expect(kinds([system], [developer])).toEqual([`changed ${system.text} ${system.text}`])
  expect(kinds([message('user', 'a')], [{ kind: 'placeholder', role: '', text: 'a' }])).toEqual([
    'removed a ',
    'added  a',
  ])
})

test('very long conversations are aligned, too', () => {
  const long = Array.from({ length: 2_000 }, (_, at) => message('user', `message ${at}`))
  const changed = long.map((each, at) => message('user', at % 2 ? each.text : `${each.text}!`))
  const pairs = alignParts(long, changed)
  expect(pairs.filter(({ kind }) => kind === 'changed')).toHaveLength(1_000)
})

test('blocks are whole lines, and marks are in theirs', () => {
  const text = `${'line of text {{a}}\n'.repeat(3_000)}end`
  const blocks = blocksOf(text, text.length, marksOf(text))
  expect(blocks.length).toBeGreaterThan(2)
  expect(blocks.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
  expect(blocks.slice(0, -1).every(({ to }) => text[to - 1] === '\n')).toBe(true)
  expect(blocks.flatMap(({ marks }) => marks)).toHaveLength(3_000)
  const many = '{{a}}'.repeat(12_000)
  expect(blocksOf(many, many.length, marksOf(many))[0]?.marks).toHaveLength(10_000)
  // One line stays one block.
  expect(blocksOf('x'.repeat(100_000), 100_000, [])).toHaveLength(1)
  // What is cut off in the middle is text.
  expect(blocksOf('a {{b}}', 5, marksOf('a {{b}}'))).toEqual([{ from: 0, to: 5, marks: [] }])
})

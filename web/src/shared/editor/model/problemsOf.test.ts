import { describe, expect, test } from 'vitest'
import { jsonSyntaxProblem } from './jsonSyntax'
import { lineSeparatorOf } from './lineSeparator'
import { lineAt } from './problem'
import { longestChecked, problemsOf } from './problemsOf'

/** The marked part of a text, and what is said of it. */
const said = (text: string, problems = problemsOf(text, { kind: 'json' })) =>
  problems.map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`)

describe('JSON', () => {
  test.each([
    '{}',
    ' [1, -0.5e+3, "a\\u00e9\\n", true, false, null, {"a": {"b": []}}]\n',
    '12345678901234567890',
    '"当"',
  ])('%s is JSON', (text) => expect(jsonSyntaxProblem(text)).toBeUndefined())

  test.each([
    ['{"a": 1,}', ',: A comma may not be the last.'],
    ['{"a": 1', '1: The closing } is missing.'],
    ['{', '{: The closing } is missing.'],
    ['[1 2]', '2: A comma or ] is expected here.'],
    ['{a: 1}', 'a: A name in double quotation marks is expected here.'],
    ["{'a': 1}", "'a': A name in double quotation marks is expected here."],
    ["['x']", "'x': JSON has only double quotation marks."],
    ['{"a" 1}', '1: A colon is missing after the name.'],
    ['{"a": }', '}: A value is expected here.'],
    ['{"a":', ':: The text ends where a value is expected.'],
    ['[01]', '01: This is not a number of JSON.'],
    ['[1.]', '1.: This is not a number of JSON.'],
    ['[NaN]', 'NaN: A value is expected here.'],
    ['["a\nb"]', '"a: The closing quotation mark is missing.'],
    ['["\\x"]', '\\x: This escape does not exist.'],
    ['["\t"]', '\t: Control characters are written as escapes, such as \\t and \\u0007.'],
    ['{} {}', '{: Nothing may follow the value.'],
  ])('%s', (text, want) => expect(said(text)).toEqual([want]))

  test('deep nesting is refused before the stack runs out', () => {
    const text = '['.repeat(100_000)
    expect(jsonSyntaxProblem(text)?.message).toMatch(/^Values are nested more than/)
  })

  test('empty and very long texts are not checked', () => {
    expect(problemsOf('  ', { kind: 'json' })).toEqual([])
    expect(problemsOf('x'.repeat(longestChecked + 1), { kind: 'json' })).toEqual([])
  })

  test('every text that is JSON for the browser is JSON here, and no other', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '1', '-', 'null', ' ', '.5', 'e1', '\\']
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 1500; round += 1) {
      const text = Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join('')
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      expect(jsonSyntaxProblem(text) === undefined, text).toBe(isJson)
    }
  })
})

describe('JSON Schema', () => {
  const schema = {
    type: 'object',
    required: ['question'],
    additionalProperties: false,
    properties: {
      question: { type: 'string', minLength: 3 },
      language: { enum: ['en', 'de'] },
      messages: { type: 'array', items: { type: 'object', required: ['role'] } },
      count: { $ref: '#/$defs/positive' },
    },
    $defs: { positive: { type: 'integer', minimum: 1 } },
  }
  const check = (text: string, by: object = schema) =>
    said(text, problemsOf(text, { kind: 'json', schema: by }))

  test.each([
    ['{"question": "why"}', []],
    ['{}', ['{: “question” is missing.']],
    ['{"question": 4}', ['4: Must be string, not number.']],
    ['{"question": "w"}', ['"w": String is too short (1 < 3).']],
    ['{"question": "why", "language": "fr"}', ['"fr": Must be one of "en", "de".']],
    ['{"question": "why", "colour": 1}', ['1: “colour” is not allowed here.']],
    ['{"question": "why", "messages": [{"role": 1}, {}]}', ['{: “role” is missing.']],
    ['{"question": "why", "count": 0}', ['0: 0 is less than 1.']],
    ['[]', ['[: Must be object, not array.']],
  ])('%s', (text, want) => expect(check(text)).toEqual(want))

  test('names in pointers may contain anything', () => {
    const odd = { properties: { 'a/b~c %': { type: 'string' } } }
    expect(check('{"x": 0, "a/b~c %": 1}', odd)).toEqual(['1: Must be string, not number.'])
  })

  test('a schema that cannot be applied gives no problems', () => {
    expect(check('{}', { $ref: '#/nowhere' })).toEqual([])
    expect(check('"a"', { pattern: '(' })).toEqual([])
  })
})

describe('templates', () => {
  const closed = { kind: 'template', variables: ['input', 'output'], isClosed: true } as const
  test('variables that are not there are marked, where there are no others', () => {
    const text = '{{input}} {{ context }} {{1}} {{}}'
    expect(said(text, problemsOf(text, closed))).toEqual([
      '{{ context }}: There is no variable “context”. There are input, output.',
    ])
    expect(problemsOf(text, { kind: 'template', variables: ['input'] })).toEqual([])
  })
})

test('lines are counted from 1', () => {
  expect(['a\nb\nc'].flatMap((text) => [0, 1, 2, 4].map((at) => lineAt(text, at)))).toEqual([
    1, 1, 2, 3,
  ])
})

test('a text that mixes line endings keeps them', () => {
  expect(['a\nb', 'a', 'a\r\nb\r\n', 'a\r\nb\nc', 'a\rb', '\n\r\n'].map(lineSeparatorOf)).toEqual([
    '\n',
    '\n',
    '\r\n',
    '\n',
    '\n',
    '\n',
  ])
})

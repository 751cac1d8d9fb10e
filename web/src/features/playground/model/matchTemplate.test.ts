import { expect, test } from 'vitest'
import { matchTemplates } from './matchTemplate'

test.each([
  ['Hi {{name}}', 'Hi Ada', { name: 'Ada' }],
  ['no variables', 'no variables', {}],
  ['{{a}} and {{b}}.', 'x and y.', { a: 'x', b: 'y' }],
  ['{{a}}-{{a}}', 'x-y-x-y', { a: 'x-y' }],
  ['{{ a }}', '', { a: '' }],
])('%j became %j', (template, text, values) =>
  expect(matchTemplates([{ template, text }])).toEqual({ kind: 'one', values }),
)

test.each([
  ['Hi {{name}}', 'Bye Ada', 'none'],
  ['Hi {{name}}!', 'Hi Ada', 'none'],
  ['{{a}}-{{a}}', 'x-y', 'none'],
  ['text', 'text!', 'none'],
  ['{{a}} and {{b}}', 'x and y and z', 'several'],
  ['{{a}}{{b}}', 'xy', 'several'],
])('%j cannot be told from %j: %s', (template, text, kind) =>
  expect(matchTemplates([{ template, text }]).kind).toBe(kind),
)

test('a variable has the same value in all messages, which makes it known in others', () => {
  expect(
    matchTemplates([
      { template: '{{a}} and {{b}}', text: 'x and y and z' },
      { template: 'only {{b}}', text: 'only z' },
    ]),
  ).toEqual({ kind: 'one', values: { a: 'x and y', b: 'z' } })
})

test('a template with very many solutions is given up, and not searched for ever', () => {
  const template = Array.from({ length: 30 }, (_, index) => `{{v${index}}} `).join('')
  expect(matchTemplates([{ template, text: `${'a '.repeat(300)}!` }]).kind).not.toBe('one')
})

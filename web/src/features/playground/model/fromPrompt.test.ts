import { expect, test } from 'vitest'
import { itemsOfPrompt, settingsOf, solvePrompt } from './fromPrompt'
import { emptyMessage, type Item } from './state'

const link = { name: 'greeting', version: 3 }
const texts = (items: readonly Item[]) =>
  items.map((item) => (item.kind === 'message' ? `${item.role}: ${item.text}` : item.kind))

test('a chat prompt takes its variables from the messages, and keeps what followed', () => {
  const template = itemsOfPrompt([
    { role: 'system', content: 'You speak {{language}}.' },
    { role: 'user', content: '{{question}}' },
  ])
  const sent = [
    emptyMessage('system', 'You speak French.'),
    emptyMessage('user', 'Why?'),
    emptyMessage('assistant', 'Because.'),
  ]
  const solved = solvePrompt(link, template, sent)
  expect(solved.kind === 'solved' && solved.variables).toEqual({
    language: 'French',
    question: 'Why?',
  })
  expect(solved.kind === 'solved' && texts(solved.items)).toEqual([
    'system: You speak {{language}}.',
    'user: {{question}}',
    'assistant: Because.',
  ])
})

test('a placeholder takes the messages between its neighbours', () => {
  const template = itemsOfPrompt([
    { role: 'system', content: 'Be brief.' },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: '{{question}}' },
  ])
  const sent = [
    emptyMessage('system', 'Be brief.'),
    emptyMessage('user', 'One?'),
    emptyMessage('assistant', '1'),
    emptyMessage('user', 'Two?'),
  ]
  const solved = solvePrompt(link, template, sent)
  expect(solved.kind === 'solved' && solved.variables).toEqual({ question: 'Two?' })
  expect(solved.kind === 'solved' && texts(solved.placeholders.history ?? [])).toEqual([
    'user: One?',
    'assistant: 1',
  ])
})

test('a text prompt is found wherever the application put it, with the role that it gave it', () => {
  const solved = solvePrompt(link, itemsOfPrompt('Hi {{name}}'), [
    emptyMessage('user', 'first'),
    emptyMessage('system', 'Hi Ada'),
  ])
  expect(solved.kind === 'solved' && texts(solved.items)).toEqual([
    'user: first',
    'system: Hi {{name}}',
  ])
})

test.each([
  ['{{a}} {{b}}', 'x y z', 'with different values'],
  ['Hi {{a}}', 'Bye', 'do not fit'],
])('says why the values of %j are not known', (template, text, part) => {
  const solved = solvePrompt(link, itemsOfPrompt(template), [emptyMessage('user', text)])
  expect(solved.kind === 'unsolved' && solved.reason).toContain(part)
})

test('the config says model, parameters, tools and schema', () => {
  const settings = settingsOf({
    provider: 'openai',
    model: 'gpt-5',
    temperature: '0.2',
    max_tokens: 100,
    stop: 'END',
    tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {} } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 's', schema: { type: 'object' } },
    },
    other: 1,
  })
  const { params } = settings
  expect(settings).toMatchObject({ connection: 'openai', model: 'gpt-5', toolChoice: 'f' })
  expect(params.numbers.temperature).toEqual({ isOn: true, value: 0.2 })
  expect(params.numbers.maxTokens).toEqual({ isOn: true, value: 100 })
  expect(params.numbers.topP.isOn).toBe(false)
  expect(params.stop).toEqual({ isOn: true, value: ['END'] })
  expect(JSON.parse(params.extra.value)).toEqual({ other: 1 })
  expect(settings.tools).toEqual([{ name: 'f', description: 'd', parameters: '{}', mock: '' }])
  expect(settings.schema?.name).toBe('s')
})

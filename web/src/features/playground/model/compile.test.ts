import { expect, test } from 'vitest'
import { requestOf } from './compile'
import { settingsOf } from './fromPrompt'
import { emptyMessage, emptyPane, newId, type Pane } from './state'
import { configOf, toPrompt } from './toPrompt'

const pane = (change: Partial<Pane>): Pane => ({
  ...emptyPane(),
  connection: 'p',
  model: 'm',
  ...change,
})

test('variables are filled, placeholders expanded, and empty messages left out', () => {
  const request = requestOf(
    pane({
      items: [
        emptyMessage('system'),
        { id: newId(), kind: 'placeholder', name: 'history' },
        emptyMessage('user', 'Hi {{name}} {{ name }}'),
      ],
    }),
    { placeholders: { history: '[{"role":"assistant","content":"Hello"}]' } },
    { name: '{{other}}', unused: 'x' },
  )
  expect(request.messages).toEqual([
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Hi {{other}} {{other}}' },
  ])
  expect(request.variables).toEqual({ name: '{{other}}' })
  expect(request.params).toEqual({})
})

test('variables and placeholders with the names of what every object has are without a value, too', () => {
  const run = (items: Pane['items'], values: Record<string, string>) =>
    requestOf(pane({ items }), { placeholders: {} }, values)
  const message = emptyMessage('user', 'Hi {{constructor}}')
  expect(() => run([message], {})).toThrow('The variable constructor has no value.')
  expect(run([message], { constructor: 'x' }).variables).toEqual({ constructor: 'x' })
  expect(() => run([{ id: newId(), kind: 'placeholder', name: 'toString' }], {})).toThrow(
    'The placeholder toString needs a JSON list of messages.',
  )
})

test('a call and its result are sent with their ids, and files by their ids', () => {
  const request = requestOf(
    pane({
      items: [
        {
          ...emptyMessage('user', 'Look'),
          files: [{ kind: 'image', mediaId: 'm1', type: 'image/png' }],
        },
        {
          ...emptyMessage('assistant'),
          calls: [{ id: 'c1', name: 'f', arguments: '{}' }],
        },
        { id: newId(), kind: 'result', callId: 'c1', text: 'ok' },
      ],
      tools: [{ name: 'f', description: '', parameters: '{"type":"object"}', mock: '' }],
      toolChoice: 'f',
    }),
    { placeholders: {} },
    {},
  )
  expect(request.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', mediaId: 'm1' },
      ],
    },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }],
    },
    { role: 'tool', content: 'ok', toolCallId: 'c1' },
  ])
  expect(request.toolChoice).toEqual({ mode: 'tool', name: 'f' })
})

test.each([
  [{ connection: '' }, 'Choose a model'],
  [{ items: [emptyMessage('user')] }, 'Write a message'],
  [{ items: [emptyMessage('user', '{{a}}')] }, 'The variable a has no value'],
  [
    { items: [{ id: 'x', kind: 'placeholder' as const, name: 'history' }] },
    'The placeholder history needs',
  ],
  [
    {
      items: [emptyMessage('user', 'x')],
      tools: [{ name: 'f', description: '', parameters: '{', mock: '' }],
    },
    'no valid JSON',
  ],
])('%j cannot be sent: %s', (change, message) => {
  expect(() => requestOf(pane(change), { placeholders: {} }, {})).toThrow(message)
})

test('what a window says about the model comes back from the config of its prompt version', () => {
  const before = pane({
    ...settingsOf({
      provider: 'p',
      model: 'm',
      temperature: 0.3,
      stop: ['END'],
      reasoning_effort: 'low',
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { a: 1 } } },
      ],
      tool_choice: 'required',
      response_format: { json_schema: { name: 's', schema: { type: 'object' } } },
    }),
  })
  const { connection, model, params, tools, toolChoice, schema } = before
  expect(settingsOf(configOf(before))).toEqual({
    connection,
    model,
    params,
    tools,
    toolChoice,
    schema,
  })
})

test('what a prompt cannot hold is named', () => {
  const { prompt, lost } = toPrompt(
    pane({
      items: [
        emptyMessage('user', 'Hi'),
        { ...emptyMessage('assistant'), calls: [{ id: 'c', name: 'f', arguments: '{}' }] },
        { id: 'r', kind: 'result', callId: 'c', text: 'x' },
        { id: 'h', kind: 'placeholder', name: 'history' },
      ],
    }),
  )
  expect(prompt).toEqual([
    { role: 'user', content: 'Hi' },
    { type: 'placeholder', name: 'history' },
  ])
  expect(lost).toEqual(['tool calls', 'results of tools'])
})

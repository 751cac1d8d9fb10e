import { expect, test } from 'vitest'
import { readConversationText } from '@/shared/io'
import { fromConversation } from './fromConversation'
import type { Item } from './state'

function taken(value: unknown) {
  const conversation = readConversationText(JSON.stringify(value))
  if (!conversation) throw new Error('no conversation')
  return fromConversation(conversation)
}

const brief = (items: readonly Item[]) =>
  items.map((item) =>
    item.kind === 'message'
      ? [item.role, item.text, ...item.calls.map(({ id, name }) => `${id} ${name}`)]
      : item.kind === 'result'
        ? ['result', item.callId, item.text]
        : ['placeholder', item.name],
  )

test('messages, calls and results of OpenAI', () => {
  const { items, tools } = taken({
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'rain' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  })
  expect(brief(items)).toEqual([
    ['system', 'Be brief'],
    ['user', 'Weather?'],
    ['assistant', '', 'c1 f'],
    ['result', 'c1', 'rain'],
  ])
  expect(tools[0]).toMatchObject({ name: 'f', parameters: '{\n  "type": "object"\n}' })
})

test('blocks of Anthropic', () => {
  const { items, lost } = taken({
    system: 'Be brief',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'rain' }] },
    ],
  })
  expect(brief(items)).toEqual([
    ['system', 'Be brief'],
    ['user', 'Weather?'],
    ['assistant', '', 't1 f'],
    ['result', 't1', 'rain'],
  ])
  expect(lost).toHaveLength(1)
})

test('calls and results of Gemini get ids, which it does not record', () => {
  const { items } = taken({
    contents: [
      { role: 'user', parts: [{ text: 'Weather?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 1 } } }] },
    ],
  })
  expect(brief(items).map(([kind, id]) => [kind, id])).toEqual([
    ['user', 'Weather?'],
    ['assistant', ''],
    ['result', 'call_1'],
  ])
})

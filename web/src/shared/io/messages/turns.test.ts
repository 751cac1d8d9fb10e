import { describe, expect, it } from 'vitest'
import { calledTools, pairCalls, toolsByUse, withoutPaired } from './pairs'
import { readConversationText } from './readConversation'
import { asLines } from './testing'
import { keyed, messageKey, newInTurn } from './turns'
import type { Message } from './types'

function messages(list: unknown): Message[] {
  return readConversationText(JSON.stringify(list))?.messages ?? []
}

const system = { role: 'system', content: 'Be brief.' }
const user = { role: 'user', content: 'Weather?' }
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1, "b": 2}' } },
  ],
}
const sameCall = {
  role: 'assistant',
  content: '',
  refusal: null,
  tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"b":2,"a":1}' }, type: 'function' }],
}
const result = { role: 'tool', tool_call_id: 'c1', content: 'sunny' }
const more = { role: 'user', content: 'And tomorrow?' }

describe('newInTurn', () => {
  it.each([
    ['the first turn', [], [system, user], ['system: Be brief.', 'user: Weather?'], 0],
    ['one more message', [system, user], [system, user, more], ['user: And tomorrow?'], 2],
    [
      'a call that is spelled differently',
      [system, user, call],
      [system, user, sameCall, result],
      ['tool: c1 -> sunny'],
      3,
    ],
    [
      'other instructions',
      [system, user],
      [{ role: 'system', content: 'Be long.' }, user, more],
      ['system: Be long.', 'user: And tomorrow?'],
      1,
    ],
    ['a new conversation', [system, user], [more], ['user: And tomorrow?'], 0],
    ['the same again', [system, user], [system, user], [], 2],
    ['less than before', [system, user, call], [system, user], [], 2],
  ])('%s', (_, previous, current, lines, known) => {
    const found = newInTurn(
      keyed(messages(previous), messageKey),
      keyed(messages(current), messageKey),
    )
    expect(asLines({ messages: found.messages, tools: [] })).toEqual(lines)
    expect(found.known).toBe(known)
  })
})

describe('pairCalls', () => {
  it('by id', () => {
    const said = messages([user, call, result, { ...result, tool_call_id: 'other' }])
    const pairs = pairCalls(said)
    expect(pairs.resultOf.size).toBe(1)
    expect(said.map(({ parts }) => withoutPaired(parts, pairs).length)).toEqual([1, 1, 0, 1])
  })

  it('by name where there are no ids, each result once', () => {
    const part = { functionCall: { name: 'f', args: {} } }
    const back = (value: number) => ({
      functionResponse: { name: 'f', response: { result: value } },
    })
    const said = readConversationText(
      JSON.stringify({
        contents: [
          { role: 'model', parts: [part, part] },
          { role: 'user', parts: [back(1), back(2), back(3)] },
        ],
      }),
    )?.messages
    const pairs = pairCalls(said ?? [])
    expect([...pairs.resultOf.values()].map(({ content }) => content)).toEqual([
      [{ kind: 'other', json: '1' }],
      [{ kind: 'other', json: '2' }],
    ])
  })

  it('knows which tools were called', () => {
    const called = calledTools(messages([call]))
    expect(toolsByUse([{ name: 'g' }, { name: 'f' }], called)).toEqual([
      { tool: { name: 'f' }, isCalled: true },
      { tool: { name: 'g' }, isCalled: false },
    ])
  })
})

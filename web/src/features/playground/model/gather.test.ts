import { expect, test } from 'vitest'
import { emptyAnswer, gather, itemsOfAnswer, textOf } from './gather'

const all = (...events: [name: string, data: unknown][]) =>
  events.reduce(
    (answer, [name, data]) => gather(answer, { name, data: JSON.stringify(data) }),
    emptyAnswer,
  )

test('an answer with reasoning, text, a call in pieces, and what it took', () => {
  const answer = all(
    ['reasoning', { text: 'Hm' }],
    ['delta', { text: 'Hel' }],
    ['delta', { text: 'lo' }],
    ['toolCall', { index: 0, id: 'c1', name: 'f', arguments: '{"a"' }],
    ['toolCall', { index: 0, arguments: ':1}' }],
    ['trace', { traceId: 't', observationId: 'o' }],
    ['usage', { details: {}, input: 3, output: 4, total: 7 }],
    ['cost', { total: 0.25 }],
    [
      'done',
      { ms: 1200, firstTokenMs: 30, finish: 'tool_calls', dropped: [], signatures: { 0: 's' } },
    ],
    ['unknown', {}],
  )
  expect(answer).toEqual({
    ...emptyAnswer,
    reasoning: 'Hm',
    text: 'Hello',
    calls: [{ id: 'c1', name: 'f', arguments: '{"a":1}', signature: 's' }],
    trace: { traceId: 't', observationId: 'o' },
    tokens: { input: 3, output: 4, total: 7 },
    cost: 0.25,
    ms: 1200,
    firstTokenMs: 30,
    finish: 'tool_calls',
  })
  expect(textOf(answer)).toBe('Hello\n\nf({"a":1})')
})

test('what was said before a restart is void', () => {
  expect(
    all(['delta', { text: 'not JSON' }], ['restart', { text: 'Why' }], ['delta', { text: '{}' }]),
  ).toEqual({ ...emptyAnswer, restarted: 'Why', text: '{}' })
})

test('an answer is taken into the messages with the mocked results of its calls', () => {
  const answer = {
    ...emptyAnswer,
    text: 'Let me see',
    calls: [{ id: '', name: 'f', arguments: '{}' }],
  }
  const tools = [{ name: 'f', description: '', parameters: '', mock: '42' }]
  expect(itemsOfAnswer(answer, tools)).toMatchObject([
    { kind: 'message', role: 'assistant', text: 'Let me see', calls: [{ id: 'call_1' }] },
    { kind: 'result', callId: 'call_1', text: '42' },
  ])
})

import { expect, test } from 'vitest'
import { readTurnMessages } from './turnMessages'
import { toSessionTurns } from './turns'

const trace = (start: string, end: string | null, totalCost: number | null, latency = 0) => ({
  startTime: `2026-11-16T${start}Z`,
  endTime: end === null ? null : `2026-11-16T${end}Z`,
  latency,
  totalCost,
})

test('pauses are counted from the end of everything before, and costs add up', () => {
  const turns = toSessionTurns([
    trace('10:00:00', '10:05:00', 0.5),
    trace('10:01:00', '10:02:00', null),
    trace('10:07:00', '10:07:10', 0.25),
    trace('10:07:20', null, 0.25, 60),
    trace('10:10:20', '10:10:30', 0),
  ])
  expect(turns.map(({ idle }) => idle)).toEqual([undefined, undefined, 120_000, undefined, 120_000])
  expect(turns.map(({ costSoFar }) => costSoFar)).toEqual([0.5, 0.5, 0.75, 1, 1])
})

const text = (role: string, content: string) => ({ role, content })

test('of an input only what follows the last answer is new', () => {
  const input = JSON.stringify([
    text('system', 'Be kind.'),
    text('user', 'Hello'),
    text('assistant', 'Hi'),
    text('user', 'And Rome?'),
  ])
  expect(readTurnMessages(input, 'user', false)).toEqual({
    kind: 'messages',
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'And Rome?' }] }],
    before: 3,
  })
})

test('an input that ends with an answer is shown whole', () => {
  const input = JSON.stringify([text('user', 'Hello'), text('assistant', 'Hi')])
  expect(readTurnMessages(input, 'user', false)).toMatchObject({ kind: 'messages', before: 0 })
})

test.each([
  ['plain words', 'plain words'],
  ['"a JSON text"', 'a JSON text'],
])('%s are what the one whose turn it is says', (stored, said) => {
  expect(readTurnMessages(stored, 'assistant', false)).toEqual({
    kind: 'messages',
    messages: [{ role: 'assistant', parts: [{ kind: 'text', text: said }] }],
    before: 0,
  })
})

test('anything else is a value, and nothing is nothing', () => {
  expect(readTurnMessages('{"city":"Rome"}', 'user', false)).toEqual({ kind: 'value' })
  expect(readTurnMessages('42', 'user', false)).toEqual({ kind: 'value' })
  expect(readTurnMessages('', 'user', false)).toEqual({ kind: 'nothing' })
  expect(readTurnMessages(null, 'user', false)).toEqual({ kind: 'nothing' })
})

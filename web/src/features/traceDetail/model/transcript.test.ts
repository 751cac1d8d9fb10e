import { expect, test } from 'vitest'
import { messageKey, type Message } from '@/shared/io'
import { wireTree } from './testing'
import { createTranscript, transcriptRows, type TurnMessages } from './transcript'
import { buildTree } from './tree'

const say = (role: string, text: string): Message => ({ role, parts: [{ kind: 'text', text }] })
const words = (messages: readonly Message[]) =>
  messages.map(({ parts }) =>
    parts.map((part) => (part.kind === 'text' ? part.text : part.kind)).join(),
  )

test('a transcript is made of model calls in order, and of tools that failed', () => {
  const tree = buildTree(
    wireTree([
      { id: 'agent', start: 0, end: 9, type: 'AGENT' },
      { id: 'second', parent: 'agent', start: 5, end: 6, type: 'GENERATION' },
      { id: 'sub', parent: 'agent', start: 1, end: 4, type: 'AGENT' },
      { id: 'first', parent: 'sub', start: 2, end: 3, type: 'GENERATION' },
      { id: 'works', parent: 'sub', start: 3, end: 4, type: 'TOOL' },
      { id: 'fails', parent: 'sub', start: 3, end: 4, type: 'TOOL', level: 'ERROR' },
    ]),
  )
  expect(transcriptRows(tree).map((row) => tree.ids[row])).toEqual(['first', 'fails', 'second'])
})

test('a trace without model calls is told by its roots', () => {
  const tree = buildTree(
    wireTree([
      { id: 'a', start: 0 },
      { id: 'b', start: 1, parent: 'a' },
      { id: 'c', start: 2 },
    ]),
  )
  expect(transcriptRows(tree).map((row) => tree.ids[row])).toEqual(['a', 'c'])
})

test('only what is new is told, also if two agents talk in turns', () => {
  const system = say('system', 'be kind')
  const other = say('system', 'be strict')
  const turns = createTranscript()([
    { row: 0, input: [system, say('user', 'hello')], output: [say('assistant', 'hi')] },
    { row: 1, input: [other, say('user', 'check it')], output: [say('assistant', 'ok')] },
    {
      row: 2,
      input: [system, say('user', 'hello'), say('assistant', 'hi'), say('user', 'more')],
      output: [say('assistant', 'sure')],
    },
  ])
  expect(turns.map(({ messages }) => words(messages))).toEqual([
    ['be kind', 'hello', 'hi'],
    ['be strict', 'check it', 'ok'],
    ['more', 'sure'],
  ])
  expect(turns[2]?.known).toBe(3)
})

/** An agent of this many turns, each of which repeats all that was said. */
function longTalk(turns: number): TurnMessages[] {
  return Array.from({ length: turns }, (_, row) => ({
    row,
    input: [
      say('system', 'be kind'),
      ...Array.from({ length: row * 2 + 1 }, (__, at) =>
        say(at % 2 ? 'assistant' : 'user', `${at}`),
      ),
    ],
    output: [say('assistant', `${row * 2 + 1}`)],
  }))
}

test('a transcript of 300 turns asks for each key once, and more turns only for their own', () => {
  const talk = longTalk(300)
  const messagesOf = (all: readonly TurnMessages[]) =>
    all.reduce((sum, { input, output }) => sum + input.length + output.length, 0)
  let asked = 0
  const transcript = createTranscript((message) => {
    asked++
    return messageKey(message)
  })
  const first = transcript(talk.slice(0, 280))
  expect(asked).toBe(messagesOf(talk.slice(0, 280)))
  asked = 0
  const all = transcript(talk.map((turn) => ({ ...turn })))
  expect(asked).toBe(messagesOf(talk.slice(280)))
  expect(all.slice(0, 280)).toEqual(first)
  expect(all[0]).toBe(first[0])
  expect(all.slice(1).map(({ messages }) => messages.length)).toEqual(Array(299).fill(2))
  expect(all[299]?.known).toBe(599)
})

test('turns that have changed are told again', () => {
  const transcript = createTranscript()
  const talk = longTalk(3)
  transcript(talk)
  const changed = talk.with(1, { row: 1, input: [say('user', 'new')], output: [] })
  expect(words(transcript(changed)[1]?.messages ?? [])).toEqual(['new'])
  expect(transcript(talk.slice(0, 1))).toHaveLength(1)
})

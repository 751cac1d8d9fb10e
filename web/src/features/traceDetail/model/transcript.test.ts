import { expect, test } from 'vitest'
import type { Message } from '@/shared/io'
import { wireTree } from './testing'
import { toTranscriptTurns, transcriptRows } from './transcript'
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
  const turns = toTranscriptTurns([
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

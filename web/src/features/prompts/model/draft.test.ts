import { expect, test } from 'vitest'
import type { PromptBody, PromptVersion } from '@/shared/prompts'
import {
  bodyOf,
  draftOf,
  emptyMessage,
  hasProblem,
  isChanged,
  isSameBody,
  moved,
  newDraft,
  nextRole,
  problemsOf,
  saveBody,
} from './draft'
import { insertReferences } from './insertReferences'

const version: PromptVersion = {
  id: 'i',
  name: 'support/chat',
  version: 3,
  createdAt: '',
  createdBy: { id: 'u', name: 'Ada' },
  labels: ['production'],
  commitMessage: 'before',
  commentCount: 0,
  hash: null,
  tags: [],
  references: [],
  resolved: null,
  problem: null,
  body: {
    type: 'chat',
    prompt: [
      { role: 'system', content: 'You help {{name}}.' },
      { type: 'placeholder', name: 'history' },
    ],
    config: '{"seed":12345678901234567890}',
  },
}

test('a new version begins without labels and message, and knows what it is based on', () => {
  const draft = draftOf(version, 7, ['red'])
  expect(draft).toMatchObject({ name: 'support/chat', labels: [], commitMessage: '', base: 7 })
  expect(draft.tags.chosen).toEqual(['red'])
  expect(isSameBody(bodyOf(draft), version.body)).toBe(true)
  expect(hasProblem(problemsOf(draft))).toBe(false)
})

test('what is sent is what was written, with all digits of numbers', () => {
  const draft = { ...draftOf(version, 7, []), commitMessage: ' shorter ', labels: ['staging'] }
  const sent = saveBody(draft, false)
  expect(sent).toContain('12345678901234567890')
  expect(JSON.parse(sent)).toMatchObject({
    name: 'support/chat',
    type: 'chat',
    prompt: [
      { role: 'system', content: 'You help {{name}}.' },
      { type: 'placeholder', name: 'history' },
    ],
    labels: ['staging'],
    tags: [],
    commitMessage: 'shorter',
    baseVersion: 7,
    evenIfUnchanged: false,
  })
})

test('a new prompt has no base and an empty config', () => {
  const sent: unknown = JSON.parse(saveBody({ ...newDraft(' a ', []), config: ' ' }, true))
  expect(sent).toMatchObject({ name: 'a', type: 'text', prompt: '', config: {}, baseVersion: null })
})

test.each([
  ['{"a":', 'not JSON'],
  ['null', 'cannot be null'],
])('the config %s is refused', (config, problem) => {
  expect(problemsOf({ ...newDraft('a', []), config }).config).toContain(problem)
})

test('placeholders need names that no variable has', () => {
  const items = [
    { id: '1', kind: 'message' as const, role: 'user', content: '{{history}}' },
    { id: '2', kind: 'placeholder' as const, name: 'history' },
    { id: '3', kind: 'placeholder' as const, name: '1x' },
    { id: '4', kind: 'placeholder' as const, name: 'fine' },
    { id: '5', kind: 'message' as const, role: ' ', content: '' },
  ]
  const problems = problemsOf({ ...newDraft('a', []), type: 'chat', items })
  expect(problems.items.get('2')).toMatch('variable already')
  expect(problems.items.get('3')).toMatch('begins with a letter')
  expect(problems.items.get('5')).toMatch('needs a role')
  expect([...problems.items.keys()]).toEqual(['2', '3', '5'])
  // In a text prompt they do not count.
  expect(hasProblem(problemsOf({ ...newDraft('a', []), items }))).toBe(false)
})

test('a message of a change has 500 characters', () => {
  const long = { ...newDraft('a', []), commitMessage: 'x'.repeat(501) }
  expect(problemsOf(long).commitMessage).toMatch('these are 501')
})

test('a draft is changed until it is as it was', () => {
  const start = newDraft('a', [])
  expect(isChanged(start, start)).toBe(false)
  expect(isChanged({ ...start, text: 'x' }, start)).toBe(true)
  expect(isChanged({ ...start, text: '' }, start)).toBe(false)
  expect(isChanged({ ...start, items: [...start.items] }, start)).toBe(false)
  expect(isChanged({ ...start, labels: ['x'] }, start)).toBe(true)
})

test('spaces in the config are no difference, digits are', () => {
  const body = (config: string): PromptBody => ({ type: 'text', prompt: 'x', config })
  expect(isSameBody(body('{"a":1}'), body('{ "a": 1 }'))).toBe(true)
  expect(isSameBody(body('{"a":9007199254740993}'), body('{"a":9007199254740992}'))).toBe(false)
})

test('messages are moved and added in turn', () => {
  const items = [emptyMessage('system'), emptyMessage('user')]
  expect(moved(items, 0, 1).map((item) => item.id)).toEqual([items[1]?.id, items[0]?.id])
  expect(moved(items, 0, -1)).toBe(items)
  expect(nextRole(items)).toBe('assistant')
  expect(nextRole([])).toBe('system')
})

test('references are replaced where they are known', () => {
  const tag = '@@@langfusePrompt:name=a|label=production@@@'
  const other = '@@@langfusePrompt:name=b|version=2@@@'
  const found = new Map([[tag, 'A $& {{x}}']])
  expect(
    insertReferences({ type: 'text', prompt: `1 ${tag}${other} ${tag}`, config: '{}' }, found),
  ).toMatchObject({ prompt: `1 A $& {{x}}${other} A $& {{x}}` })
  expect(
    insertReferences(
      {
        type: 'chat',
        prompt: [
          { role: 'user', content: tag },
          { type: 'placeholder', name: 'h' },
        ],
        config: '{}',
      },
      found,
    ),
  ).toMatchObject({ prompt: [{ content: 'A $& {{x}}' }, { type: 'placeholder', name: 'h' }] })
})

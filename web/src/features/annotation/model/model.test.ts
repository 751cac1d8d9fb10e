import { expect, test } from 'vitest'
import type { ScoreConfig } from '@/shared/scoring'
import { idsIn, inOrder, idsProblem, itemSelectionOf, mostAdded, queueProblems } from './queue'
import {
  draftOf,
  firstProblem,
  givenProblem,
  missingIn,
  missingText,
  reviewAction,
  toReview,
  withGiven,
  type ReviewDraft,
} from './review'
import { forgetVisited, noteVisited, visitedIn } from './visited'

const config = (id: string, dataType: ScoreConfig['dataType'], more = {}): ScoreConfig => ({
  id,
  name: id,
  projectId: 'p',
  dataType,
  isArchived: false,
  description: null,
  minValue: null,
  maxValue: null,
  categories: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  ...more,
})

const good = config('good', 'BOOLEAN')
const stars = config('stars', 'NUMERIC', { minValue: 1, maxValue: 5 })
const words = config('words', 'TEXT')
const configs = [good, stars, words]
const empty: ReviewDraft = { given: {}, comment: '' }

test('ids are separated by lines and commas, and each is added once', () => {
  expect(idsIn(' a\nb,, a \n')).toEqual(['a', 'b'])
  expect(idsProblem(' ,\n')).toBe('Enter at least one id.')
  expect(idsProblem('a')).toBeUndefined()
  const many = Array.from({ length: mostAdded + 1 }, (_, n) => `t${n}`).join('\n')
  expect(idsProblem(many)).toBe('At most 100 ids at once; these are 101.')
})

test('the order in which questions were chosen is kept', () => {
  expect(inOrder(['c', 'a'], ['a', 'b', 'c'])).toEqual(['c', 'a', 'b'])
  expect(inOrder(['c', 'a'], ['a'])).toEqual(['a'])
})

test('the address selects items', () => {
  expect(itemSelectionOf({})).toEqual({})
  expect(itemSelectionOf({ search: ' t1 ', status: 'pending' })).toEqual({
    search: 't1',
    status: 'PENDING',
  })
  expect(itemSelectionOf({ search: ' ', status: 'what' })).toEqual({})
})

test('a queue needs a name and something to score', () => {
  expect(queueProblems({ name: ' ', description: '', scoreConfigIds: [] })).toEqual({
    name: 'Enter a name.',
    scoreConfigIds: 'Choose at least one score config.',
  })
  expect(queueProblems({ name: 'q', description: '', scoreConfigIds: ['c'] })).toEqual({})
})

test('what was said before is what the form begins with, and what it sends', () => {
  const before = draftOf({
    scores: [
      { configId: 'good', value: 0, comment: 'rude' },
      { configId: 'words', value: ' as is ', comment: '' },
      { configId: 'gone', value: 1, comment: '' },
    ],
    comment: ' all in all ',
  })
  expect(toReview(before, configs)).toEqual({
    scores: [
      { configId: 'good', value: 0, comment: 'rude' },
      { configId: 'stars', value: null },
      { configId: 'words', value: ' as is ', comment: '' },
    ],
    comment: 'all in all',
  })
})

test('a value that was taken back is sent as none', () => {
  const draft = withGiven(
    draftOf({ scores: [{ configId: 'stars', value: 3, comment: '' }], comment: '' }),
    stars,
    { value: '' },
  )
  expect(toReview(draft, [stars]).scores).toEqual([{ configId: 'stars', value: null }])
})

test('problems are found before anything is sent', () => {
  expect(firstProblem(empty, configs)).toBeUndefined()
  const wrong = withGiven(withGiven(empty, good, { value: '1' }), stars, { value: '6' })
  expect(firstProblem(wrong, configs)).toBe(1)
  expect(givenProblem(wrong, stars)).toBe('At most 5.')
  expect(givenProblem(withGiven(empty, words, { comment: 'x' }), words)).toBe(
    'A comment on a score needs a value.',
  )
  expect(firstProblem(withGiven(wrong, stars, { value: '5' }), configs)).toBeUndefined()
})

test('missing values are named', () => {
  const some = withGiven(empty, good, { value: '1' })
  expect(missingText(missingIn(empty, configs), 3)).toBe(
    'Nothing has a value yet. Complete again to leave it like that.',
  )
  expect(missingText(missingIn(some, configs), 3)).toBe(
    '2 values are missing: stars, words. Complete again to leave it like that.',
  )
  expect(missingText([words], 3)).toBe(
    'One value is missing: words. Complete again to leave it like that.',
  )
})

const pressed = (key: string, more = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})
const idle = { isTyping: false, isOnControl: false, isInForm: true }

test.each([
  ['2', 'CATEGORICAL', idle, { do: 'choose', at: 1 }],
  ['2', 'NUMERIC', idle, { do: 'type', text: '2' }],
  ['ArrowDown', 'BOOLEAN', idle, { do: 'config', by: 1 }],
  ['ArrowDown', 'BOOLEAN', { ...idle, isInForm: false }, undefined],
  ['c', 'TEXT', idle, { do: 'comment' }],
  ['s', 'TEXT', idle, { do: 'skip' }],
  ['u', 'TEXT', idle, { do: 'back' }],
  ['Enter', 'TEXT', idle, { do: 'complete' }],
  ['Enter', 'TEXT', { ...idle, isOnControl: true }, undefined],
  ['Enter', 'TEXT', { ...idle, isTyping: true }, undefined],
  ['s', 'TEXT', { ...idle, isTyping: true }, undefined],
  ['n', 'TEXT', idle, undefined],
  ['Escape', 'TEXT', idle, undefined],
] as const)('%s with a value of the kind %s', (key, dataType, where, action) => {
  expect(reviewAction(pressed(key), dataType, where)).toEqual(action)
})

test('Ctrl+Enter completes wherever the focus is, and other keys with Ctrl or Alt are left alone', () => {
  const typing = { isTyping: true, isOnControl: true, isInForm: true }
  expect(reviewAction(pressed('Enter', { ctrlKey: true }), 'TEXT', typing)).toEqual({
    do: 'complete',
  })
  expect(reviewAction(pressed('Enter', { metaKey: true }), undefined, typing)).toEqual({
    do: 'complete',
  })
  expect(reviewAction(pressed('s', { ctrlKey: true }), 'TEXT', idle)).toBeUndefined()
  expect(reviewAction(pressed('2', { altKey: true }), 'BOOLEAN', idle)).toBeUndefined()
})

test('visited items are kept per queue, each once, the latest last', () => {
  for (const id of ['a', 'b', 'a']) noteVisited('p', 'q', id)
  noteVisited('p', 'other', 'c')
  expect(visitedIn('p', 'q')).toEqual(['b', 'a'])
  forgetVisited('p', 'q', 'a')
  expect(visitedIn('p', 'q')).toEqual(['b'])
  expect(visitedIn('p', 'other')).toEqual(['c'])
})

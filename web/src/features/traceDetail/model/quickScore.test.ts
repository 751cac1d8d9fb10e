import { expect, test } from 'vitest'
import type { ScoreConfig } from '@/shared/scoring'
import {
  asStored,
  choicesOf,
  ownScore,
  problemOf,
  scoringAction,
  shownValues,
  toSend,
} from './quickScore'

const base = {
  projectId: 'p',
  description: null,
  minValue: null,
  maxValue: null,
  categories: null,
  isArchived: false,
  createdAt: '2026-11-16T12:00:00.000Z',
  updatedAt: '2026-11-16T12:00:00.000Z',
} as const
const helpful: ScoreConfig = { ...base, id: 'c1', name: 'helpful', dataType: 'BOOLEAN' }
const tone: ScoreConfig = {
  ...base,
  id: 'c2',
  name: 'tone',
  dataType: 'CATEGORICAL',
  categories: [
    { label: 'warm', value: 1 },
    { label: 'cold', value: 0 },
  ],
}
const rating: ScoreConfig = { ...base, id: 'c3', name: 'rating', dataType: 'NUMERIC', maxValue: 5 }

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
const pressed = (key: string, type?: ScoreConfig['dataType'], isInPane = false) =>
  scoringAction({ ...plain, key }, type, isInPane)

test('digits choose a category or yes and no, and are typed for a number', () => {
  expect(pressed('2', 'CATEGORICAL')).toEqual({ do: 'choose', at: 1 })
  expect(pressed('1', 'BOOLEAN')).toEqual({ do: 'choose', at: 0 })
  expect(pressed('0', 'BOOLEAN')).toBeUndefined()
  expect(pressed('1', 'NUMERIC')).toEqual({ do: 'type', text: '1' })
  expect(pressed('-', 'NUMERIC')).toEqual({ do: 'type', text: '-' })
  expect(pressed('-', 'BOOLEAN')).toBeUndefined() // zooms the timeline
  expect(pressed('1')).toBeUndefined() // folds the tree: there is no config
})

test('the other keys', () => {
  expect(pressed('n', 'BOOLEAN')).toEqual({ do: 'walk', by: 1 })
  expect(pressed('u')).toEqual({ do: 'undo' })
  expect(scoringAction({ ...plain, key: 'z', metaKey: true }, undefined, false)?.do).toBe('undo')
  expect(scoringAction({ ...plain, key: 'n', ctrlKey: true }, undefined, false)).toBeUndefined()
  expect(pressed('ArrowDown', 'BOOLEAN')).toBeUndefined() // moves in the tree
  expect(pressed('ArrowDown', 'BOOLEAN', true)).toEqual({ do: 'config', by: 1 })
  expect(pressed('j', 'BOOLEAN', true)).toBeUndefined() // the next observation
})

test('what can be chosen', () => {
  expect(choicesOf(helpful).map(({ label }) => label)).toEqual(['Yes', 'No'])
  expect(choicesOf(tone)[1]).toEqual({ value: 'cold', label: 'cold' })
  expect(choicesOf(rating)).toEqual([])
})

test('what is sent is what is shown until it is read', () => {
  const subject = { traceId: 't', observationId: 'o' }
  const values = shownValues(tone, undefined, { value: 'cold', comment: ' curt ' })
  expect(problemOf(values, tone)).toBeUndefined()
  const sent = toSend('s1', values, tone, { ...subject, environment: 'production' })
  expect(sent).toEqual({
    id: 's1',
    name: 'tone',
    configId: 'c2',
    source: 'ANNOTATION',
    dataType: 'CATEGORICAL',
    value: 'cold',
    comment: 'curt',
    environment: 'production',
    ...subject,
  })
  const score = asStored({ ...sent, id: 's1' }, 'p', 'u1', subject, base.createdAt)
  expect(ownScore([score], tone, subject, 'u1')).toBe(score)
  // Of somebody else, of another config, of the trace itself.
  expect(ownScore([score], tone, subject, 'u2')).toBeUndefined()
  expect(ownScore([score], helpful, subject, 'u1')).toBeUndefined()
  expect(ownScore([score], tone, { traceId: 't', observationId: undefined }, 'u1')).toBeUndefined()
  expect(shownValues(tone, score, {}).value).toBe('cold')
  expect(shownValues(tone, score, { value: 'warm' })).toMatchObject({
    value: 'warm',
    comment: 'curt',
  })
})

test('numbers keep to their range', () => {
  expect(problemOf(shownValues(rating, undefined, { value: '7' }), rating)).toBe('At most 5.')
  expect(problemOf(shownValues(rating, undefined, { value: '-' }), rating)).toBe('Enter a number.')
})

import { expect, test } from 'vitest'
import { changedIds } from './changedIds'
import { wireTree, type Span } from './testing'

const root: Span = { id: 'root', start: 0, level: 'DEFAULT' }
const done: Span = { id: 'done', start: 1, end: 2, name: 'search', level: 'DEFAULT' }
const call: Span = { id: 'call', start: 2, end: 3, tokens: 5, level: 'DEFAULT' }

const changed = (before: Span[], now: Span[]) => [...changedIds(wireTree(before), wireTree(now))]

test('what is new, what is other than before, and what had not ended', () => {
  expect(changed([done, call], [done, call])).toEqual([])
  expect(changed([root, done], [root, done])).toEqual(['root'])
  expect(changed([done], [done, call])).toEqual(['call'])
  expect(changed([done, { ...call, end: undefined }], [done, call])).toEqual(['call'])
  expect(changed([done, call], [done, { ...call, tokens: 6 }])).toEqual(['call'])
  expect(changed([done, call], [{ ...done, level: 'ERROR' }, call])).toEqual(['done'])
})

test('another order of rows and words is no change', () => {
  expect(changed([done, call], [call, done])).toEqual([])
})

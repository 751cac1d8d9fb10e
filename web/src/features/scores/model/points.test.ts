import { expect, test } from 'vitest'
import type { Score } from '@/shared/scoring'
import { decodeKind, encodeKind, pairPoints, subjectPage, toPoints } from './points'

const score = (id: string, value: number | boolean | string, subject: Score['subject']) =>
  ({ id, value, subject, timestamp: '2026-11-16T10:00:00Z' }) as Score
const trace = (id: string) => ({ kind: 'trace', id }) as const

test('kinds of scores come back from addresses; names may have colons', () => {
  const kind = { name: 'a:b', dataType: 'BOOLEAN' } as const
  expect(decodeKind(encodeKind(kind))).toEqual(kind)
  for (const text of [undefined, '', 'quality', 'TEXT:quality', 'NUMERIC:'])
    expect(decodeKind(text)).toBeUndefined()
})

test('booleans are categories, and a level leaves others out', () => {
  const scores = [
    score('1', true, trace('t')),
    score('2', false, { kind: 'observation', id: 'o', traceId: 't' }),
  ]
  expect(toPoints(scores, 'all').map(({ value }) => value)).toEqual(['Yes', 'No'])
  expect(toPoints(scores, 'observation').map(({ id }) => id)).toEqual(['2'])
})

test('scores of the same thing are paired, the newest of each', () => {
  const first = toPoints([score('a1', 1, trace('t')), score('a2', 0, trace('t'))], 'all')
  const second = toPoints(
    [score('b0', 1, trace('other')), score('b1', 0.5, trace('t')), score('b2', 0, trace('t'))],
    'all',
  )
  const { pairs, by } = pairPoints(first, second)
  expect(pairs.map((pair) => [pair.first.id, pair.second.id])).toEqual([['a1', 'b1']])
  expect(by).toBe('subject')
})

test('where nothing has both, scores of the same trace are paired', () => {
  const first = toPoints([score('a', 1, { kind: 'observation', id: 'o', traceId: 't' })], 'all')
  const second = toPoints([score('b', 0, trace('o')), score('c', 0, trace('t'))], 'all')
  const { pairs, by } = pairPoints(first, second)
  expect(pairs.map((pair) => pair.second.id)).toEqual(['c'])
  expect(by).toBe('trace')
})

test('an observation of the same id in another trace is another one', () => {
  const first = toPoints([score('a', 1, { kind: 'observation', id: 'o', traceId: 't' })], 'all')
  const others = toPoints([score('c', 1, { kind: 'observation', id: 'o', traceId: 'u' })], 'all')
  expect(pairPoints(first, others).pairs).toEqual([])
})

test('every subject has its address', () => {
  expect(subjectPage('p', trace('a/b'))).toMatchObject({
    to: '/project/$projectId/traces/$traceId',
    params: { projectId: 'p', traceId: 'a/b' },
  })
  expect(subjectPage('p', { kind: 'observation', id: 'o', traceId: 't' })).toMatchObject({
    params: { projectId: 'p', traceId: 't' },
    search: { observation: 'o' },
  })
  expect(subjectPage('p', { kind: 'session', id: 's' })?.params).toMatchObject({ sessionId: 's' })
  expect(subjectPage('p', { kind: 'experiment', id: 'e' })).toMatchObject({
    search: { baseline: 'e' },
  })
  expect(subjectPage('p', undefined)).toBeUndefined()
})

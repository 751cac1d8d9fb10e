import { expect, test } from 'vitest'
import { scoresQuery } from './filter'

test('a time range and environments are asked for as the server has them', () => {
  const from = '2026-11-15T00:00:00.000Z'
  expect(scoresQuery({ from })).toEqual({ fromTimestamp: from })
  expect(scoresQuery({ from, to: 'then', environment: ['a', 'b'] })).toEqual({
    environment: 'a,b',
    fromTimestamp: from,
    toTimestamp: 'then',
  })
})

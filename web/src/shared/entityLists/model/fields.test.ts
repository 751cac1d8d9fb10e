import { expect, test } from 'vitest'
import { entityQueries } from './fields'

test.each([
  ['sessions', 'cost:>$0.01 -level:ERROR', 'totalCost', 'level'],
  ['sessions', 'user:ann duration:>1m', 'userId', 'duration'],
  ['users', 'sessions:>2 scores.quality:<0.5', 'sessionCount', 'scores'],
] as const)('%s: %s', (table, text, ...columns) => {
  const { compileQuery, printQuery } = entityQueries[table]
  const { query, errors } = compileQuery(text)
  expect(errors).toEqual([])
  expect(query.conditions.map(({ column }) => column)).toEqual(columns)
  expect(compileQuery(printQuery(query)).query).toEqual(query)
})

test('words without a field are a part of the id', () => {
  expect(entityQueries.users.compileQuery('ann cost:>1').query.search).toBe('ann')
})

import { expect, test } from 'vitest'
import { entitiesOrder } from './order'

test('only what the server can sort by is asked for', () => {
  expect(entitiesOrder({})).toBeUndefined()
  expect(entitiesOrder({ sort: { column: 'users', direction: 'asc' } })).toBeUndefined()
  expect(entitiesOrder({ sort: { column: 'totalCost', direction: 'asc' } })).toEqual({
    column: 'totalCost',
    direction: 'asc',
  })
})

import { expect, test } from 'vitest'
import { ownersOrder } from './order'

test('only what the server can sort by is asked for', () => {
  expect(ownersOrder({})).toBeUndefined()
  expect(ownersOrder({ sort: { column: 'id', direction: 'asc' } })).toBeUndefined()
  expect(ownersOrder({ sort: { column: 'totalCost', direction: 'asc' } })).toEqual({
    column: 'totalCost',
    direction: 'asc',
  })
})

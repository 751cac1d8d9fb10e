import { expect, test } from 'vitest'
import { excerptOf, observationOf, type Found } from './found'

const found: Found = {
  observationId: 'b',
  name: 'answer',
  type: 'GENERATION',
  field: 'output',
  before: 'You get a ',
  text: 'Refund',
  after: ' within a week.',
}

test('a trace says in which of its observations the text is', () => {
  expect(excerptOf('traces', { found })).toEqual({
    observation: 'answer',
    field: 'output',
    before: 'You get a ',
    text: 'Refund',
    after: ' within a week.',
  })
  expect(excerptOf('traces', { found: { ...found, name: null } })?.observation).toBe('Generation')
  expect(excerptOf('observations', { found })?.observation).toBeUndefined()
  expect(excerptOf('traces', {})).toBeUndefined()
})

test.each([
  ['short ', 'short '],
  ['…something that is a good deal longer than a cell has room for ', '…has room for '],
  ['…'.padEnd(40, 'x'), `…${'x'.repeat(16)}`],
  [`…${'😀'.repeat(40)}`, `…${'😀'.repeat(16)}`],
])('what is before the text is cut so that the text is in sight: %j', (before, shown) => {
  expect(excerptOf('observations', { found: { ...found, before } })?.before).toBe(shown)
})

test('a row leads to the observation that has the text', () => {
  expect(observationOf('traces', { id: 'a', found })).toBe('b')
  expect(observationOf('traces', { id: 'a' })).toBeUndefined()
  expect(observationOf('observations', { id: 'a', found })).toBe('a')
})

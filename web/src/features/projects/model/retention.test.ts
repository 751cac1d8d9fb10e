import { expect, test } from 'vitest'
import { retentionDays, retentionProblem, toRetentionValues } from './retention'

test('0 days are for ever', () => {
  expect(toRetentionValues(0).keeps).toBe('forever')
  expect(retentionDays(toRetentionValues(0))).toBe(0)
  expect(retentionDays(toRetentionValues(30))).toBe(30)
})

test.each(['', '0', '2', '-1', '1.5', 'x', '999999'])('%s is no number of days', (text) => {
  expect(retentionProblem({ keeps: 'days', retentionDays: text })).toBe(
    'Enter a number of days, 3 or more',
  )
})

test('what is not shown is not checked', () => {
  expect(retentionProblem({ keeps: 'forever', retentionDays: '' })).toBeUndefined()
  expect(retentionProblem({ keeps: 'days', retentionDays: '14' })).toBeUndefined()
})

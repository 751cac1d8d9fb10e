import { expect, test } from 'vitest'
import {
  maxDataBytes,
  maxDataProblem,
  retentionDays,
  retentionProblem,
  toRetentionValues,
} from './retention'

test('0 days are for ever', () => {
  expect(toRetentionValues(0, 0).keeps).toBe('forever')
  expect(retentionDays(toRetentionValues(0, 0))).toBe(0)
  expect(retentionDays(toRetentionValues(30, 0))).toBe(30)
})

test.each(['', '0', '2', '-1', '1.5', 'x', '999999'])('%s is no number of days', (text) => {
  expect(retentionProblem({ keeps: 'days', retentionDays: text, maxData: '' })).toBe(
    'Enter a number of days, 3 or more',
  )
})

test('what is not shown is not checked', () => {
  expect(retentionProblem({ keeps: 'forever', retentionDays: '', maxData: '' })).toBeUndefined()
  expect(retentionProblem({ keeps: 'days', retentionDays: '14', maxData: '' })).toBeUndefined()
})

test('a maximum is asked for in gigabytes and kept in bytes', () => {
  expect(toRetentionValues(0, 20_500_000_000).maxData).toBe('20.5')
  expect(maxDataBytes(toRetentionValues(0, 20_500_000_000))).toBe(20_500_000_000)
  expect(maxDataBytes(toRetentionValues(0, 0))).toBe(0)
})

test.each(['-1', '0.001', 'much', '1e9', '1 2'])('%s is no maximum', (maxData) => {
  expect(maxDataProblem({ keeps: 'forever', retentionDays: '', maxData })).toBe(
    'Enter a number of gigabytes, 0.01 or more, or leave it empty',
  )
})

test.each(['', ' ', '0', '0.01', '500'])('"%s" is a maximum', (maxData) => {
  expect(maxDataProblem({ keeps: 'forever', retentionDays: '', maxData })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { describeCondition } from './condition'

test('conditions are said as people say them', () => {
  expect(
    describeCondition({
      usageDetailPattern: 'input',
      operator: 'gt',
      value: 200_000,
      caseSensitive: false,
    }),
  ).toBe('input > 200,000')
  expect(
    describeCondition({ source: 'metadata', key: 'plan', operator: 'in', values: ['a', 'b'] }),
  ).toBe('metadata plan is a or b')
})

import { expect, test } from 'vitest'
import { byImportance, givenLabels, labelProblem } from './labels'

test.each([
  ['production', undefined],
  ['a-b_c.1', undefined],
  ['x'.repeat(36), undefined],
  ['x'.repeat(37), '36 characters'],
  ['', 'lower-case'],
  ['Prod', 'lower-case'],
  ['a b', 'lower-case'],
  ['latest', 'by itself'],
])('the label %j', (label, problem) => {
  if (problem === undefined) expect(labelProblem(label)).toBeUndefined()
  else expect(labelProblem(label)).toMatch(problem)
})

test('production comes first, latest last, and people do not give it', () => {
  const labels = ['latest', 'staging', 'production', 'canary']
  expect(labels.toSorted(byImportance)).toEqual(['production', 'canary', 'staging', 'latest'])
  expect(givenLabels(labels)).toEqual(['production', 'canary', 'staging'])
})

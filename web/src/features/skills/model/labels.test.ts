import { expect, test } from 'vitest'
import { labelsIn } from './labels'

test.each([
  ['', [], undefined],
  [' production, staging ,production', ['production', 'staging'], undefined],
  ['latest', ['latest'], 'by itself'],
  ['Prod', ['Prod'], 'lower-case'],
  ['x'.repeat(37), ['x'.repeat(37)], '36 characters'],
])('%j', (text, labels, problem) => {
  const read = labelsIn(text)
  expect(read.labels).toEqual(labels)
  if (problem === undefined) expect(read.problem).toBeUndefined()
  else expect(read.problem).toMatch(problem)
})

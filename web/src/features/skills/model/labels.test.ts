import { expect, test } from 'vitest'
import { labelsIn } from './labels'

test.each([
  ['', [], undefined],
  [' production, staging ,production', ['production', 'staging'], undefined],
  ['latest', ['latest'], 'by itself'],
  ['a, Prod', ['a', 'Prod'], 'lower-case'],
])('%j', (text, labels, problem) => {
  const read = labelsIn(text)
  expect(read.labels).toEqual(labels)
  if (problem === undefined) expect(read.problem).toBeUndefined()
  else expect(read.problem).toMatch(problem)
})

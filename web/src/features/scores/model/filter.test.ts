import { expect, test } from 'vitest'
import { scoresQuery, scoresSelection } from './filter'

const scope = { from: '2026-11-15T00:00:00.000Z' }

test('an address is asked for as the server has it', () => {
  const search = {
    name: 'quality',
    source: 'EVAL',
    dataType: 'NUMERIC',
    valueMin: '0.5',
    valueMax: '',
  }
  expect(scoresQuery(search, { ...scope, to: 'then', environment: ['a', 'b'] })).toEqual({
    name: 'quality',
    source: 'EVAL',
    dataType: 'NUMERIC',
    valueMin: 0.5,
    environment: 'a,b',
    fromTimestamp: scope.from,
    toTimestamp: 'then',
  })
})

test('what is not understood is left out, and values are those of numbers only', () => {
  const search = { name: '', source: 'me', dataType: 'BOOLEAN', valueMin: '0.5', valueMax: 'x' }
  expect(scoresQuery(search, scope)).toEqual({ dataType: 'BOOLEAN', fromTimestamp: scope.from })
})

test('an export selects the same scores', () => {
  const narrow = { from: '2026-11-01T00:00:00.000Z', environment: ['production'] }
  expect(scoresSelection({}, narrow)).toEqual(narrow)
  expect(
    scoresSelection(
      { name: 'quality', source: 'API', dataType: 'NUMERIC', valueMin: '0.5' },
      narrow,
    ),
  ).toEqual({
    ...narrow,
    filter: [
      { type: 'string', column: 'name', operator: '=', value: 'quality' },
      { type: 'string', column: 'source', operator: '=', value: 'API' },
      { type: 'string', column: 'dataType', operator: '=', value: 'NUMERIC' },
      { type: 'number', column: 'value', operator: '>=', value: 0.5 },
    ],
  })
})

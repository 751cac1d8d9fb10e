import { expect, test } from 'vitest'
import { questionOf } from './query'
import { scoreQueries } from './fields'

const ask = (search: Parameters<typeof questionOf>[0]) => {
  const { query, unknown } = questionOf(search)
  return [scoreQueries.printQuery(query), ...unknown]
}

test('a query of scores is about their own fields', () => {
  const text = 'value:0.2..0.5 category:=good name:(tone OR style) -source:EVAL trace:=t1'
  const { query, errors } = scoreQueries.compileQuery(text)
  expect(errors).toEqual([])
  expect(query.conditions.map(({ column }) => column)).toEqual([
    'value',
    'value',
    'stringValue',
    'name',
    'source',
    'traceId',
  ])
})

test('links to scores that were filtered by fields of their own keep their meaning', () => {
  expect(ask({ name: 'tone', source: 'EVAL', dataType: 'NUMERIC', valueMin: '0.5' })).toEqual([
    'name:=tone source:EVAL type:NUMERIC value:>=0.5',
  ])
  // A range is one of numbers.
  expect(ask({ dataType: 'BOOLEAN', valueMin: '0.5' })).toEqual(['type:BOOLEAN'])
  expect(ask({ name: '', source: 'nobody', valueMax: 'x' })).toEqual([''])
  expect(ask({ filter: 'comment;string;;contains;late', name: 'tone' })).toEqual([
    'name:=tone comment:late',
  ])
})

test('words are looked for in names, and alternatives of different fields are refused', () => {
  expect(ask({ search: 'tone' })).toEqual(['name:tone'])
  const { query } = scoreQueries.compileQuery('name:=a OR value:>1')
  expect(scoreQueries.printQuery(query)).toBe('name:=a OR value:>1')
})

import { expect, test } from 'vitest'
import { compileQuery, printCondition, printQuery } from '@/features/traceList'
import { queryOf, rangeOf } from './request'

const printer = {
  printCondition,
  printSearch: (search: string) => printQuery({ conditions: [], search }),
}

const all = {
  from: null,
  to: null,
  environment: null,
  filter: null,
  search: null,
  datasetName: null,
}

test.each(['level:ERROR cost:>0.5', 'name:chat* user:ada', '-level:DEBUG "two words"', ''])(
  'the query %s is shown as it was typed',
  (text) => {
    const { query } = compileQuery(text)
    const request = { ...all, filter: query.conditions, search: query.search || null }
    expect(compileQuery(queryOf(request, printer)).query).toEqual(query)
  },
)

test('environments, datasets and what the query bar does not know are named, too', () => {
  const filter = [{ type: 'number', column: 'nobodyKnows', operator: '>=', value: 1 }]
  expect(
    queryOf({ ...all, filter, environment: ['production', 'a b'], datasetName: 'd' }, printer),
  ).toBe('nobodyKnows >= 1 env:(production OR "a b") dataset:d')
})

test('time ranges may be open', () => {
  const from = '2026-11-16T12:00:00Z'
  const to = '2026-11-17T12:00:00Z'
  expect(rangeOf({ ...all, from, to }, 'utc')).toBe('2026-11-16 12:00 – 2026-11-17 12:00')
  expect(rangeOf({ ...all, from }, 'utc')).toBe('since 2026-11-16 12:00')
  expect(rangeOf({ ...all, to }, 'utc')).toBe('until 2026-11-17 12:00')
  expect(rangeOf(all, 'utc')).toBeUndefined()
})

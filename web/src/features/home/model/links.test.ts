import { expect, test } from 'vitest'
import { costLink, errorsLink, modelLink, slowLink, within } from './links'

test('figures lead to their rows, as addresses have filters', () => {
  expect(errorsLink.search.filter).toBe('level;stringOptions;;any of;ERROR')
  expect(slowLink(1500).search).toEqual({
    filter: 'isRootObservation;boolean;;=;true,latency;number;;>=;1.5',
    sort: 'latency.desc',
  })
  expect(slowLink(undefined).search.filter).toBeUndefined()
  expect(modelLink('a|b, c').search.filter).toBe('model;stringOptions;;any of;a%5C%7Cb%2C%20c')
})

test('a part of the time keeps the filter', () => {
  const from = new Date('2026-11-16T10:00:00Z')
  const to = new Date('2026-11-16T11:00:00Z')
  expect(within(errorsLink, from, to).search).toEqual({
    filter: errorsLink.search.filter,
    dateRange: '2026-11-16T10:00:00.000Z~2026-11-16T11:00:00.000Z',
  })
})

test('costs lead to the calls of a model, or to those of all but some', () => {
  expect(costLink({ kind: 'model', model: 'a' })).toEqual(modelLink('a'))
  expect(costLink({ kind: 'rest', models: ['a', 'b'] }).search.filter).toBe(
    'model;stringOptions;;none of;a%7Cb',
  )
  expect(costLink({ kind: 'rest', models: [] }).to).toBe('/project/$projectId/traces')
})

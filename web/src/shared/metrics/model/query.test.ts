import { expect, test, vi } from 'vitest'
import { metricsQuery } from './query'

const range = { from: new Date('2026-11-15T00:00:00Z'), to: new Date('2026-11-16T00:00:00Z') }

test('a question is asked as the server has it', () => {
  const question = {
    view: 'observations' as const,
    metrics: ['sum_totalCost', 'p95_latency'],
    by: ['providedModelName'],
    order: 'sum_totalCost',
    limit: 5,
  }
  expect(JSON.parse(metricsQuery(question, range, ['production']))).toEqual({
    view: 'observations',
    metrics: [
      { measure: 'totalCost', aggregation: 'sum' },
      { measure: 'latency', aggregation: 'p95' },
    ],
    dimensions: [{ field: 'providedModelName' }],
    filters: [
      { column: 'environment', type: 'stringOptions', operator: 'any of', value: ['production'] },
    ],
    orderBy: [{ field: 'sum_totalCost', direction: 'desc' }],
    fromTimestamp: '2026-11-15T00:00:00.000Z',
    toTimestamp: '2026-11-16T00:00:00.000Z',
    config: { row_limit: 5 },
  })
})

test('a series is asked for by time, and needs no order', () => {
  const question = {
    view: 'observations' as const,
    metrics: ['count_count'],
    granularity: 'hour' as const,
  }
  const asked: unknown = JSON.parse(metricsQuery(question, range, undefined))
  expect(asked).toMatchObject({ timeDimension: { granularity: 'hour' }, filters: [] })
  expect(asked).not.toHaveProperty('orderBy')
})

test('days and weeks are those of the local zone if it is switched on', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const asked = (granularity: 'hour' | 'day', zone: 'utc' | 'local'): unknown => {
    const question = { view: 'observations' as const, metrics: [], granularity, zone }
    return JSON.parse(metricsQuery(question, range, undefined))
  }
  expect(asked('day', 'local')).toHaveProperty('timeDimension', {
    granularity: 'day',
    timeZone: 'Europe/Berlin',
  })
  expect(asked('day', 'utc')).toHaveProperty('timeDimension', { granularity: 'day' })
  expect(asked('hour', 'local')).toHaveProperty('timeDimension', { granularity: 'hour' })
  vi.unstubAllEnvs()
})

import { describe, expect, test } from 'vitest'
import { rowOptionsOf } from './question'
import { dynamicId, dynamicKey, dynamicKeys } from '@/shared/table'
import { rangeAround } from './rangeAround'
import { pickedSelection, toSelection } from './view'

const now = new Date('2026-11-16T12:00:00.000Z')

describe('a selection', () => {
  test('leaves out what is not asked for, and the end of a range up to now', () => {
    expect(
      toSelection(
        'observations',
        { conditions: [], search: '' },
        { kind: 'last', amount: 1, unit: 'h' },
        [],
        now,
      ),
    ).toEqual({ from: '2026-11-16T11:00:00.000Z' })
  })
  test('has everything that is asked for', () => {
    const condition = { type: 'number', column: 'latency', operator: '>', value: 2 } as const
    const range = { kind: 'between', from: new Date(0), to: now } as const
    expect(
      toSelection(
        'traces',
        { conditions: [condition], search: 'words' },
        range,
        ['production'],
        now,
      ),
    ).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: '2026-11-16T12:00:00.000Z',
      filter: [condition],
      environment: ['production'],
      search: 'words',
      conditionsOn: 'traces',
    })
  })
  test('of picked rows names them, each once', () => {
    const rows = [
      { traceId: 't', id: 'a' },
      { traceId: 't', id: 'b' },
    ]
    const traces = { type: 'stringOptions', column: 'traceId', operator: 'any of', value: ['t'] }
    expect(pickedSelection('traces', rows)).toEqual({ filter: [traces], conditionsOn: 'traces' })
    expect(pickedSelection('observations', rows)).toEqual({
      filter: [
        traces,
        { type: 'stringOptions', column: 'id', operator: 'any of', value: ['a', 'b'] },
      ],
    })
  })
})

describe('columns of keys', () => {
  test.each(['customer', 'a.b', 'a,b:c', '天気', '100%', ''])('%s', (key) => {
    const id = dynamicId('metadata', key)
    expect(id).not.toMatch(/[,:.]/)
    expect(dynamicKey('metadata', id)).toBe(key)
    expect(dynamicKey('scores', id)).toBeUndefined()
  })
  test('are asked for when they are shown', () => {
    const shown = ['type', dynamicId('metadata', 'a.b'), dynamicId('scores', 'quality')]
    expect(dynamicKeys('metadata', shown)).toEqual(['a.b'])
    expect(rowOptionsOf({ shown, sort: { column: 'latency', direction: 'asc' } })).toEqual({
      order: { column: 'latency', direction: 'asc' },
      metadataKeys: ['a.b'],
      scores: true,
    })
    expect(rowOptionsOf({ sort: { column: 'name', direction: 'asc' } })).toEqual({})
  })
})

describe('the range around a moment', () => {
  test.each([
    ['2026-11-16T11:55:00.000Z', { kind: 'last', amount: 15, unit: 'm' }],
    ['2026-11-13T12:00:00.000Z', { kind: 'last', amount: 7, unit: 'd' }],
    [
      '2020-01-01T12:00:00.000Z',
      {
        kind: 'between',
        from: new Date('2020-01-01T00:00:00.000Z'),
        to: new Date('2020-01-02T00:00:00.000Z'),
      },
    ],
  ])('%s', (at, want) => expect(rangeAround(new Date(at), now)).toEqual(want))
})

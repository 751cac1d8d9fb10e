import { expect, test } from 'vitest'
import type { ComparedItem, ComparedMeasure, ComparedRun } from '../api/useComparison'
import { toCsv } from './file'

test('a line for each item; texts cannot become formulas', () => {
  const run: ComparedRun = {
    id: 'r1',
    name: '',
    datasetId: null,
    startTime: '2026-10-06T10:00:00.000Z',
    items: 1,
    runs: 2,
    errors: 0,
    cost: null,
  }
  const score = { key: 'q', items: 1, mean: -0.5, labels: [] }
  const measure: ComparedMeasure = {
    key: 'q',
    name: 'q',
    source: 'API',
    dataType: 'NUMERIC',
    isRatio: false,
    lowerIsBetter: false,
    baseline: score,
    candidates: [],
  }
  const attempt = { traceId: 't', observationId: 'o', isError: false, latency: null, cost: null }
  const item: ComparedItem = {
    itemId: 'i',
    input: { text: '=1+1', isCut: false },
    expected: { text: 'a "b", c', isCut: false },
    cells: [
      {
        attempts: [
          { ...attempt, output: { text: 'x', isCut: false } },
          { ...attempt, output: null },
        ],
        scores: [{ key: 'q', mean: -0.5, label: null, change: null }],
      },
      null,
    ],
  }
  expect(toCsv([run, { ...run, name: 'two' }], [measure], [item])).toBe(
    'item,input,expected,1 r1: output,1 r1: q,2 two: output,2 two: q\r\n' +
      `i,'=1+1,"a ""b"", c","x\n",-0.5,,\r\n`,
  )
})

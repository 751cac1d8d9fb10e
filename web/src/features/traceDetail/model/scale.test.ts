import { describe, expect, test } from 'vitest'
import { density } from './density'
import { createScale, idleGaps, marks, moved, windowBetween, wholeWindow, zoomed } from './scale'
import { wireTree } from './testing'
import { buildTree } from './tree'

const waiting = buildTree(
  wireTree([
    { id: 'chat', start: 0, end: 10_000 },
    { id: 'ask', parent: 'chat', start: 0, end: 100, type: 'GENERATION' },
    { id: 'answer', parent: 'chat', start: 9_000, end: 10_000, type: 'TOOL', level: 'ERROR' },
  ]),
)

test('a stretch without leaves is idle', () => {
  expect(idleGaps(waiting)).toEqual([{ from: 100, to: 9_000 }])
})

describe('createScale', () => {
  test('is linear without gaps', () => {
    const scale = createScale(0, 200)
    expect(scale.toPosition(50)).toBe(0.25)
    expect(scale.toTime(0.25)).toBe(50)
    expect(scale.toPosition(-5)).toBe(0)
    expect(scale.toPosition(500)).toBe(1)
  })

  test('folds gaps, and finds the way back', () => {
    const scale = createScale(0, 10_000, idleGaps(waiting))
    expect(scale.toPosition(10_000)).toBeCloseTo(1)
    expect(scale.toPosition(9_000) - scale.toPosition(100)).toBeCloseTo(0.015)
    for (const time of [0, 50, 100, 4_000, 9_000, 9_500, 10_000])
      expect(scale.toTime(scale.toPosition(time))).toBeCloseTo(time, 3)
  })

  test('a trace without duration has a scale', () => {
    const scale = createScale(5, 5)
    expect(scale.toPosition(5)).toBe(0)
    expect(Number.isFinite(scale.toTime(0.5))).toBe(true)
    expect(marks(scale, wholeWindow, 5).length).toBeLessThan(12)
  })
})

describe('the window', () => {
  test('zooms around a place and stays inside', () => {
    expect(zoomed(wholeWindow, 0.5, 0.5)).toEqual({ from: 0.25, to: 0.75 })
    expect(zoomed(wholeWindow, 0, 0.5)).toEqual({ from: 0, to: 0.5 })
    expect(zoomed({ from: 0, to: 0.5 }, 0.25, 10)).toEqual(wholeWindow)
    expect(moved({ from: 0.5, to: 1 }, 1)).toEqual({ from: 0.5, to: 1 })
    expect(moved({ from: 0.5, to: 1 }, -0.5)).toEqual({ from: 0.25, to: 0.75 })
  })

  test('may be drawn in either direction; a click shows everything', () => {
    expect(windowBetween(0.8, 0.2)).toEqual({ from: 0.2, to: 0.8 })
    expect(windowBetween(0.5, 0.5)).toEqual(wholeWindow)
  })
})

test('marks are round and inside', () => {
  const found = marks(createScale(0, 1234), wholeWindow, 5)
  expect(found.map(({ time }) => time)).toEqual([0, 500, 1000])
})

test('density tells what runs, what it is and where something failed', () => {
  const slices = density(waiting, createScale(0, 10_000), 10)
  expect(slices.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(slices[0]?.type).toBe('GENERATION')
  expect(slices[9]).toEqual({ count: 1, type: 'TOOL', hasError: true })
})

import { expect, test } from 'vitest'
import { inParts, runAll, runParts, type Progress } from './runAll'

const never = new AbortController().signal

test('does everything, counts failures, and goes on after them', async () => {
  const seen: number[] = []
  const told: Progress[] = []
  const result = await runAll(
    [1, 2, 3, 4, 5, 6],
    async (item) => {
      seen.push(item)
      if (item % 3 === 0) throw new Error(`not ${item}`)
    },
    (progress) => told.push(progress),
    never,
  )
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  expect(result).toEqual({ total: 6, done: 4, failures: ['not 3', 'not 6'] })
  expect(told).toHaveLength(6)
  expect(told.at(-1)).toEqual(result)
})

test('does a few at once', async () => {
  let running = 0
  let most = 0
  await runAll(
    Array.from({ length: 20 }, (_, at) => at),
    async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
    },
    () => {},
    never,
  )
  expect(most).toBe(4)
})

test('stops when it is cancelled', async () => {
  const cancel = new AbortController()
  const result = await runAll(
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    async (item) => {
      if (item === 2) cancel.abort()
    },
    () => {},
    cancel.signal,
  )
  expect(result.done).toBeLessThan(9)
})

test('counts the items of parts, those that are refused and those of a part that fails', async () => {
  const act = async (part: readonly number[]) => {
    if (part.includes(5)) throw new Error('away')
    return part.includes(2) ? ['not 2'] : []
  }
  expect(await runParts(inParts([1, 2, 3, 4, 5, 6], 2), act, () => {}, never)).toEqual({
    total: 6,
    done: 3,
    failures: ['not 2', 'away', 'away'],
  })
})

test('parts', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inParts([], 2)).toEqual([])
})

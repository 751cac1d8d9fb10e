import { describe, expect, test } from 'vitest'
import { lineDiff } from './lineDiff'

let seed = 1
/** A number below another, the same in every run. */
function next(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const vocabulary = Array.from({ length: 2_000 }, (_, at) => `w${(at * 7919).toString(36)}`)
const word = () => vocabulary[next(vocabulary.length)] ?? ''

/** A text of 100 KB, with so many words in each line. */
function prose(perLine: number): string {
  const words = Array.from({ length: 19_000 }, word)
  const text = words.map((each, at) => each + (at % perLine === perLine - 1 ? '\n' : ' ')).join('')
  return text.slice(0, 100_000)
}

/** One of fifty words replaced. */
const edited = (text: string) => text.replaceAll(/\w+/g, (all) => (next(50) === 0 ? word() : all))

const shuffled = (text: string) =>
  text
    .split('\n')
    .map((line) => ({ line, at: next(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join('\n')

/** Takes 20 ms on the machine for which the limit is meant. */
function calibration(): number {
  let sum = 0
  for (let at = 0; at < 20_000_000; at += 1) sum = (Math.imul(sum, 31) + at) | 0
  return sum
}

function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** How long something takes at best on that machine, in milliseconds. Both are measured in turn, since others work as well. */
function cost(run: () => unknown): number {
  let best = Infinity
  for (let round = 0; round < 30 && best >= 200; round += 1)
    best = Math.min(best, (timeOf(run) / timeOf(calibration)) * 20)
  return best
}

describe.each([10, 200, 1_000_000])('two prompts of 100 KB with %d words in a line', (perLine) => {
  const before = prose(perLine)

  test('one word of fifty is found within 200 ms', () => {
    const after = edited(before)
    const pieces = (lineDiff(before, after)?.rows ?? []).flatMap(({ b }) => b?.pieces ?? [])
    expect(pieces.map(({ text }) => text).join('')).toBe(after.replaceAll('\n', ''))
    const found = pieces.filter(({ isChanged }) => isChanged)
    expect(found.length).toBeGreaterThan(200)
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(5_000)
    expect(cost(() => lineDiff(before, after))).toBeLessThan(200)
  })

  test.each([
    ['that differ everywhere', prose(perLine)],
    ['whose lines are in another order', shuffled(before)],
    ['that have nothing in common', before.replaceAll('w', 'x')],
  ])('texts %s are shown, if not by word, within 200 ms', (_, after) => {
    const rows = lineDiff(before, after)?.rows ?? []
    const text = (side: 'a' | 'b') =>
      rows
        .flatMap((row) => row[side] ?? [])
        .map(({ pieces }) => pieces.map((piece) => piece.text).join(''))
        .join('\n')
    expect([text('a'), text('b')]).toEqual([before, after])
    expect(cost(() => lineDiff(before, after))).toBeLessThan(200)
  })
})

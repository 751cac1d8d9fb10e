import { describe, expect, test } from 'vitest'
import { folded } from './folded'
import { lineDiff, longestDiff, type Line, type Row } from './lineDiff'
import { readable } from './readable'

const side = (line: Line | undefined) =>
  line &&
  `${line.number} ${line.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
const drawn = (rows: readonly Row[] = []) =>
  rows.map(({ kind, a, b }) => (kind === 'same' ? `  ${side(a)}` : `${side(a)} → ${side(b)}`))
const compare = (a: string, b: string) => {
  const { before, after } = readable(a, b)
  return drawn(lineDiff(before, after)?.rows)
}

describe('texts', () => {
  test('words that differ are marked in their lines', () => {
    expect(compare('the quick fox\nruns', 'the slow fox\nruns')).toEqual([
      '1 the [quick] fox → 1 the [slow] fox',
      '  2 runs',
    ])
  })

  test('lines that were added and removed have no counterpart', () => {
    expect(compare('a\nb\nc', 'a\nc\nd')).toEqual([
      '  1 a',
      '2 [b] → undefined',
      '  3 c',
      'undefined → 3 [d]',
    ])
  })

  test('lines that have little in common are marked as a whole', () => {
    expect(compare('one two three', 'four five six')).toEqual([
      '1 [one two three] → 1 [four five six]',
    ])
  })

  test('spaces, line endings and the end of the text count', () => {
    expect(compare('a  b', 'a b')).toEqual(['1 a[  ]b → 1 a[ ]b'])
    expect(compare('a\r\nb', 'a\nb')).toEqual(['1 a[\r] → 1 a', '  2 b'])
    expect(compare('a\n', 'a')).toEqual(['  1 a', '2 [] → undefined'])
  })

  test('scripts without spaces are compared by characters', () => {
    expect(compare('当日の天気は晴れ', '当日の天気は雨')).toEqual([
      '1 当日の天気は[晴れ] → 1 当日の天気は[雨]',
    ])
  })

  test('long texts are compared if the part that differs is not long', () => {
    const lines = (odd: string) =>
      Array.from({ length: 100_000 }, (_, at) => (at === 50_000 ? odd : `line ${at}`)).join('\n')
    const diff = lineDiff(lines('this'), lines('that'))
    expect(diff).toMatchObject({ added: 1, removed: 1 })
    expect(lineDiff('x'.repeat(longestDiff), 'y')).toBeUndefined()
    expect(lineDiff('x'.repeat(5_000_000), 'x'.repeat(5_000_000))).toBeUndefined()
  })
})

describe('JSON', () => {
  test('is compared entry by entry, however it is written', () => {
    expect(compare('{"a":1,"b":"\\u5f53"}', '{ "a": 1,\n"b": "当" }')).toEqual([
      '  1 {',
      '  2   "a": 1,',
      '  3   "b": "当"',
      '  4 }',
    ])
  })

  test('numbers are compared by all their digits', () => {
    expect(compare('[1234567890123456789, 1.0]', '[1234567890123456780, 1]')).toEqual([
      '  1 [',
      '2   [1234567890123456789], → 2   [1234567890123456780],',
      '3   1[.0] → 3   1',
      '  4 ]',
    ])
  })

  test('names in another order are no difference, but are said', () => {
    const moved = readable('{"a": 1, "b": {"c": 1, "d": 2}}', '{"b": {"d": 2, "c": 1}, "a": 1}')
    expect(moved.after).toBe(moved.before)
    expect(moved.isReordered).toBe(true)
    // A new entry stays where it was put.
    const added = readable('{"a": 1, "b": 2}', '{"a": 1, "x": 0, "b": 2}')
    expect(added.after).toBe('{\n  "a": 1,\n  "x": 0,\n  "b": 2\n}')
    expect(added.isReordered).toBe(false)
  })

  test('a name that occurs twice keeps both values', () => {
    expect(readable('{"a": 1, "a": 2}', '{"a": 1, "a": 3}').after).toBe('{\n  "a": 1,\n  "a": 3\n}')
  })

  test('the content of a string is compared as text', () => {
    expect(compare('"a\\nb"', '"a\\nc"')).toEqual(['  1 a', '2 [b] → 2 [c]'])
  })

  test('one of two that is no JSON is compared as it is', () => {
    expect(compare('{"a": 1}', 'none')).toEqual([
      '1 [{] → 1 [none]',
      '2 [  "a": 1] → undefined',
      '3 [}] → undefined',
    ])
  })
})

test('what both have far from a difference is left out until it is opened', () => {
  const same = (count: number): Row[] => Array.from({ length: count }, () => ({ kind: 'same' }))
  const rows: Row[] = [...same(20), { kind: 'added' }, ...same(8), { kind: 'removed' }, ...same(4)]
  const shape = (opened: number[]) =>
    folded(rows, new Set(opened)).map((each) =>
      each.kind === 'gap' ? each.count : each.row.kind[0],
    )
  expect(shape([]).join('')).toBe('17sssassssssssrssss')
  expect(shape([0]).length).toBe(rows.length)
  expect(shape([]).filter((each) => each === 's')).toHaveLength(3 + 8 + 4)
  expect(folded(same(10), new Set())).toEqual([{ kind: 'gap', from: 0, count: 10 }])
})

test('of very long lines, what is between their equal ends is compared by word', () => {
  const [head, tail] = ['some words '.repeat(5_000), ' and so on'.repeat(5_000)]
  const [row] = lineDiff(`${head}an old fox${tail}`, `${head}an odd fox${tail}`)?.rows ?? []
  expect(row?.a?.pieces.filter(({ isChanged }) => isChanged)).toEqual([
    { text: 'old', isChanged: true },
  ])
  expect(row?.b?.pieces.map(({ text }) => text).join('')).toBe(`${head}an odd fox${tail}`)
})

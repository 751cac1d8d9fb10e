import { expect, test } from 'vitest'
import { Json } from '@/shared/io'
import { mappingProblems, readPath, usualMapping, valueAt } from './mapping'

const found = (text: string, path: string) => {
  const read = readPath(path)
  const value = Json.parse(text)
  return value && 'steps' in read ? valueAt(value, read.steps)?.raw : read
}

test('paths lead to values as they are written', () => {
  const text = '{"m":[{"c":1.50},{"c":"x"}],"a b":{"__proto__":null},"j":"{\\"k\\":[2]}"}'
  expect(found(text, '$')).toBe(text)
  expect(found(text, ' $.m[0].c ')).toBe('1.50')
  expect(found(text, '$.m[-1]["c"]')).toBe('"x"')
  expect(found(text, "$['a b'].__proto__")).toBe('null')
  expect(found(text, '$.j.k[0]')).toBe('2')
  expect(found(text, '$.m[2]')).toBeUndefined()
  expect(found(text, '$.m.c')).toBeUndefined()
  expect(found(text, '$.toString')).toBeUndefined()
})

test('what is no path is told', () => {
  for (const path of ['', 'm', '$.', '$..m', '$.m[*]', '$[?(@.a)]', '$["a', '$.m x', '$[1.5]'])
    expect(readPath(path)).toHaveProperty('problem')
  const mapping = { ...usualMapping, input: { from: 'nothing', path: '$' } as const }
  expect(mappingProblems(mapping)).toEqual({ input: 'An item needs an input.' })
  expect(
    mappingProblems({
      ...usualMapping,
      expectedOutput: { from: 'output', path: 'x' },
      metadata: { from: 'nothing', path: 'x' },
    }),
  ).toEqual({ expectedOutput: 'A path begins with $, which is the whole value.' })
})

import { expect, it } from 'vitest'
import { compact } from './compact'
import { Json } from './json'
import { pretty } from './pretty'

const parse = (text: string): Json => {
  const json = Json.parse(text)
  if (!json) throw new Error(`${text} is not JSON`)
  return json
}

it('finds members by what their names say, the last one if there are several', () => {
  const json = parse('{"a":1,"\\u0061":2,"b":{"c":"d"},"":3}')
  expect(json.get('a').raw).toBe('2')
  expect(json.get('b').get('c').string).toBe('d')
  expect(json.get('').raw).toBe('3')
  expect(json.get('x').get('y').kind).toBe('missing')
  expect(json.first('x', 'b').get('c').asText).toBe('d')
  expect(parse('{"a":null}').first('a', 'b').kind).toBe('missing')
})

it('reads JSON in a string', () => {
  const json = parse('{"a":"{\\"b\\":[1]}","c":"text"}')
  expect(json.get('a').unwrapped.get('b').raw).toBe('[1]')
  expect(json.get('c').unwrapped.string).toBe('text')
})

it('writes JSON with letters instead of escapes and numbers as they are', () => {
  const json = parse('{"\\u5f53":[1.10,12345678901234567890],"b":{},"c":"\\n"}')
  expect(pretty(json)).toBe(
    '{\n  "当": [\n    1.10,\n    12345678901234567890\n  ],\n  "b": {},\n  "c": "\\n"\n}',
  )
  expect(compact(parse('{ "b" : 1, "a" : [ true ] }'))).toBe('{"a":[true],"b":1}')
})

it('writes what is deeper than it can go', () => {
  const text = '['.repeat(50_000) + ']'.repeat(50_000)
  expect(compact(parse(text)).length).toBe(text.length)
  expect(pretty(parse(text)).length).toBeGreaterThan(text.length)
})

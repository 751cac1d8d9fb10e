import { describe, expect, it } from 'vitest'
import { buildIndex } from './buildIndex'
import { Json } from './json'

/** What JSON.parse would return, read through the index. */
function valueOf(json: Json): unknown {
  switch (json.kind) {
    case 'object':
      return Object.fromEntries(json.members().map(([name, value]) => [name, valueOf(value)]))
    case 'array':
      return json.elements().map(valueOf)
    case 'string':
      return json.string
    case 'missing':
      return undefined
    default:
      return JSON.parse(json.raw)
  }
}

const valid = [
  'null',
  ' true ',
  '-1.5e+10',
  '""',
  '"a\\"b\\\\"',
  '"\\u5f53\\n\\/"',
  '[]',
  '{}',
  '[[],{},[{}]]',
  '[1, 2 ,3]',
  '{"a":{"b":[1,{"c":null}]},"d":"e"}',
  '{"":1,"\\u0061":2}',
  '\t{\r\n"a" : [ 1 ] }\n',
  '{"天":"気😀"}',
]

const invalid = [
  '',
  ' ',
  'nul',
  'hello',
  '{',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  '{"a" 1}',
  '[1 2]',
  '[1]]',
  '{}{}',
  '"open',
  '[1}',
  '{"a":1]',
  '-',
  ',',
]

describe('buildIndex', () => {
  it.each(valid)('reads %s', (text) => {
    const json = Json.parse(text)
    expect(json && valueOf(json)).toEqual(JSON.parse(text))
  })

  it.each(invalid)('refuses %j', (text) => {
    expect(buildIndex(text)).toBeUndefined()
  })

  it('keeps every digit', () => {
    const text = '{"id":12345678901234567890,"price":1.10,"far":1e400}'
    const json = Json.parse(text)
    expect(json?.members().map(([, value]) => value.raw)).toEqual([
      '12345678901234567890',
      '1.10',
      '1e400',
    ])
  })

  it('reads what Python writes for numbers that JSON does not have', () => {
    const json = Json.parse('[NaN,Infinity,-Infinity]')
    expect(json?.elements().map((value) => [value.kind, value.raw])).toEqual([
      ['number', 'NaN'],
      ['number', 'Infinity'],
      ['number', '-Infinity'],
    ])
  })

  it('reads a text that was cut anywhere as far as it goes', () => {
    const text = '{"a":[1,{"b":"c\\u5f53\\\\"},true,null],"d":-2.5}'
    for (let end = 1; end < text.length; end++) {
      const index = buildIndex(text.slice(0, end), true)
      expect(index?.isCut, text.slice(0, end)).toBe(true)
      const { count = 0, ends, afters } = index ?? {}
      for (let node = 0; node < count; node++) {
        expect(ends?.[node]).toBeLessThanOrEqual(end)
        expect(afters?.[node]).toBeGreaterThan(node)
      }
    }
    expect(buildIndex(text, true)?.isCut).toBe(false)
    expect(Json.parse('{"a":"b', true)?.get('a').string).toBe('b')
  })

  it('does not take what is wrong for what was cut', () => {
    expect(buildIndex('hello {', true)).toBeUndefined()
    expect(buildIndex('[1, oops', true)).toBeUndefined()
  })

  it('goes as deep as a text does', () => {
    const depth = 200_000
    const index = buildIndex('['.repeat(depth) + ']'.repeat(depth))
    expect(index?.count).toBe(depth)
    expect(index?.afters[0]).toBe(depth)
  })

  it('knows parents, sizes and positions', () => {
    const index = buildIndex('{"a":[10,20],"b":{}}')
    expect(index && Array.from(index.parents.slice(1, index.count))).toEqual([0, 1, 1, 0])
    expect(index && Array.from(index.sizes.slice(0, index.count))).toEqual([2, 2, 0, 0, 0])
    expect(index && Array.from(index.positions.slice(0, index.count))).toEqual([0, 0, 0, 1, 1])
    expect(index && Array.from(index.afters.slice(0, index.count))).toEqual([5, 4, 3, 4, 5])
  })
})

import { expect, test } from 'vitest'
import { Json } from './json'
import { wholeValue } from './wholeValue'

const whole = '{"a":[1,{"b":"the beginning and the end"}],"c":2}'
const cut = Json.parse(whole.slice(0, 30), true)?.document

test('a shortened value is found in the whole text', () => {
  if (!cut) throw new Error('it is JSON')
  expect(wholeValue(cut, 1, whole).raw).toBe('[1,{"b":"the beginning and the end"}]')
  expect(wholeValue(cut, 4, whole).string).toBe('the beginning and the end')
})

test.each(['[1,2]', '{"a":[1,2,{"b":""}]}', 'no JSON', '{}'])(
  '%s has become another value',
  (now) => {
    if (!cut) throw new Error('it is JSON')
    expect(() => wholeValue(cut, 4, now)).toThrow(/changed/)
  },
)

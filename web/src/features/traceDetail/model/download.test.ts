import { expect, test } from 'vitest'
import { fileName, nextCursor, rowsText } from './download'

test('rows stay as they came', () => {
  const page = '{"data":[{"n":12345678901234567890,"t":"a],\\"meta\\":"}],"meta":{"cursor":"c1"}}'
  expect(rowsText(page)).toBe('{"n":12345678901234567890,"t":"a],\\"meta\\":"}')
  expect(nextCursor(page)).toBe('c1')
  expect(nextCursor('{"data":[],"meta":{}}')).toBeUndefined()
  expect(rowsText('{"data":[],"meta":{}}')).toBe('')
  expect(() => rowsText('oops')).toThrow('not understood')
})

test('hostile ids make harmless names', () => {
  expect(fileName('../a b/当')).toBe('trace-.._a_b__.json')
})

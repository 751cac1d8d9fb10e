import { expect, test } from 'vitest'
import { decodeList, encodeList, type ListAddress } from './listAddress'

const list: ListAddress = {
  table: 'observations',
  search: { filter: '[{"column":"name","value":"a?b&c=d"}]', search: 'x?y', sort: 'latency.desc' },
  asOf: new Date(1_760_000_000_000),
  row: 'a/b&c',
}

test('the list of a trace is read as it was written', () => {
  expect(decodeList(encodeList(list))).toEqual(list)
  const bare: ListAddress = { table: 'traces', search: {}, asOf: list.asOf, row: undefined }
  expect(encodeList(bare)).toBe('traces?at=1760000000000')
  expect(decodeList(encodeList(bare))).toEqual(bare)
})

test.each([undefined, '', 'traces', 'users?at=1', 'traces?at=', 'traces?at=-1', 'traces?at=1e99'])(
  'what is no list is none: %s',
  (text) => {
    expect(decodeList(text)).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { scopeSearch } from './useScopeSearch'

test.each([
  [{}, {}],
  [{ dateRange: '3h', environment: ['a', 'b'], other: '1' }, undefined],
  [
    { dateRange: ['3h', '1d'], environment: 'a' },
    { dateRange: '', environment: 'a' },
  ],
])('%j', (search, want = search) => expect(scopeSearch(search)).toEqual(want))

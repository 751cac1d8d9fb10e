import { expect, test } from 'vitest'
import { createPreference } from './preference'

test('a preference is remembered, tells its listeners, and takes only its values', () => {
  const first = createPreference('example', ['a', 'b'])
  let calls = 0
  const stop = first.subscribe(() => calls++)
  first.set('b')
  stop()
  first.set('b')
  expect(calls).toBe(1)
  expect(createPreference('example', ['a', 'b']).get()).toBe('b')
  localStorage.setItem('almanac.example', 'something else')
  expect(createPreference('example', ['a', 'b']).get()).toBe('a')
})

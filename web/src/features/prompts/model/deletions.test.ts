import { expect, test } from 'vitest'
import { restoredText, versionsText } from './deletions'

const deletion = {
  id: 'd',
  name: 'a',
  type: 'text' as const,
  labels: [],
  deletedAt: '',
  deletedBy: { id: 'u', name: 'Ada' },
  expiresAt: '',
}

test.each([
  [1, 3, 3, 'version 3'],
  [3, 1, 3, 'versions 1 to 3'],
  [2, 1, 3, '2 versions between 1 and 3'],
])('%d versions from %d to %d', (versions, first, last, text) =>
  expect(versionsText({ ...deletion, versions, first, last })).toBe(text),
)

test('only what changed is said after a restoration', () => {
  const restored = { name: 'a', labels: [], keptBack: [], versions: [{ was: 1, version: 1 }] }
  expect(restoredText(restored)).toBeUndefined()
  expect(
    restoredText({ ...restored, versions: [{ was: 1, version: 4 }], keptBack: ['production'] }),
  ).toBe('Version 1 is now 4. production stays where it is by now.')
})

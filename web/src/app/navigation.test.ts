import { expect, test } from 'vitest'
import { projectPath } from '@/lib/paths'
import { activeItem, navigationItems } from './navigation'

test.each([
  ['/project/p', 'Home'],
  ['/project/p/traces', 'Traces'],
  ['/project/p/traces/t1', 'Traces'],
  ['/project/p/observations', 'Traces'],
  ['/project/p/settings/api-keys', 'Settings'],
  ['/project/p/tracesandmore', undefined],
  ['/project/other/traces', undefined],
])('%s belongs to %s', (path, label) => expect(activeItem(path, 'p')?.label).toBe(label))

test('ids are encoded once', () => {
  expect(projectPath('a/b#c', 'traces')).toBe('/project/a%2Fb%23c/traces')
})

test('every shortcut leads to one page', () => {
  expect(new Set(navigationItems.map((item) => item.shortcut)).size).toBe(navigationItems.length)
})

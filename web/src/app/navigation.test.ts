import { expect, test } from 'vitest'
import { activeItem, navigationFor, navigationItems } from './navigation'

test.each([
  ['/project/p', 'Home'],
  ['/project/p/traces', 'Traces'],
  ['/project/p/traces/t1', 'Traces'],
  ['/project/p/observations', 'Traces'],
  ['/project/p/prompts/a%2Fb', 'Prompts'],
  ['/project/p/skills/refunds', 'Prompts'],
  ['/project/p/settings/api-keys', 'Settings'],
  ['/project/p/tracesandmore', undefined],
  ['/project/other/traces', undefined],
])('%s belongs to %s', (path, label) => expect(activeItem(path, 'p')?.label).toBe(label))

test.each(['a b', 'a/b', '100%', 'a%2Fb', '当', "it's", '"'])(
  'the project may be called %s',
  (id) => {
    expect(activeItem(`/project/${encodeURIComponent(id)}/traces/t1`, id)?.label).toBe('Traces')
  },
)

test('the router shows some characters of an address as they are', () => {
  expect(activeItem('/project/当 b/traces', '当 b')?.label).toBe('Traces')
  expect(activeItem('/project/a%2Fb/traces', 'a/b')?.label).toBe('Traces')
})

test('every shortcut leads to one page', () => {
  expect(new Set(navigationItems.map((item) => item.shortcut)).size).toBe(navigationItems.length)
})

test('people see the pages that show them something', () => {
  const labels = (...permissions: string[]) =>
    navigationFor({ permissions }).map((group) => group.items.map((item) => item.label).join(' '))
  expect(labels('queues:annotate')).toEqual(['Annotation'])
  expect(labels('scores:read', 'prompts:read')).toEqual([
    'Scores',
    'Prompts',
    'Evaluators Annotation',
  ])
  expect(navigationFor(undefined)).toEqual([])
  const all = navigationItems.flatMap((item) => item.needs)
  expect(navigationFor({ permissions: all }).flatMap((group) => group.items)).toEqual(
    navigationItems,
  )
})

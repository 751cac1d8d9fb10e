import { expect, test } from 'vitest'
import { loadDoc } from '@/features/docs'
import { createAppRouter, createQueryClient } from '../router'
import { allHelp, helpAt } from './help'
import { navigationItems, pathOf } from './navigation'

test('every page of the rail says what it is, each its own', () => {
  const found = navigationItems.map((item) => helpAt(`/project/p/${pathOf(item)}`))
  expect(found).not.toContain(undefined)
  expect(new Set(found).size).toBe(navigationItems.length)
})

test('every page behind sign-in says what it is', () => {
  const { routesByPath } = createAppRouter(createQueryClient())
  const paths = Object.values(routesByPath)
    .filter(({ id }) => id.startsWith('/_app'))
    .map(({ fullPath }) => fullPath)
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => helpAt(path.replaceAll('$', '')) === undefined)).toEqual([])
})

test.each(allHelp)('$about ($page#$anchor)', async ({ about, page, anchor }) => {
  const doc = await loadDoc(page)
  expect(doc?.page).toBe(page)
  if (anchor !== undefined) expect(doc?.sections.map((section) => section.anchor)).toContain(anchor)
  expect(about).toMatch(/^[A-Z].{10,90}\.$/)
})

test.each([
  ['/', 'administration', 'from-nothing-to-a-project'],
  ['/project/p', 'web', undefined],
  ['/project/p/traces', 'finding', 'the-query-bar'],
  ['/project/p/traces/0123', 'finding', 'one-trace'],
  ['/project/p/traces/a%2Fb', 'finding', 'one-trace'],
  ['/project/traces/settings/models/m', 'differences', expect.anything()],
  ['/project/p/settings/members', 'administration', 'members-and-roles'],
  ['/project/p/datasets/d/items/i', 'datasets', 'items'],
  ['/project/p/constructor', 'web', undefined],
  ['/organization/o/settings/sso', 'sign-in', 'single-sign-on'],
  ['/organization/o', 'administration', undefined],
  ['/account/settings', 'sign-in', 'sessions'],
  ['/account/inbox', 'administration', 'the-inbox'],
])('%s is explained in %s#%s', (path, page, anchor) => {
  const help = helpAt(path)
  expect([help?.page, help?.anchor]).toEqual([page, anchor])
})

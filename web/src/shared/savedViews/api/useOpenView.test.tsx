import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const view = (id: string, isMyDefault: boolean) => ({
  id,
  name: `Only ${id}`,
  table: 'traces',
  shared: false,
  state: { search: id },
  isMyDefault,
  isProjectDefault: false,
  createdAt: '',
  updatedAt: '',
})

const show = (search: string) =>
  renderApp(`/project/p-search/traces${search}`, {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/projects/p-search/views': { views: [view('apples', true), view('pears', false)] },
    'POST /api/ui/projects/p-search/query/traces': { rows: [], cursor: null, searchedBack: null },
  })

beforeEach(() => history.replaceState({ key: 'this' }, ''))

/** Opens the table with its default view, removes the condition, and returns the resulting history state. */
async function clearedView() {
  const app = show('')
  await screen.findByRole('button', { name: 'Only apples' })
  const bar = screen.getByRole('combobox', { name: 'Filter and search' })
  await app.user.clear(bar)
  await app.user.type(bar, '{Enter}')
  await screen.findByRole('button', { name: 'Only apples (changed)' })
  expect(app.address()).toBe('/project/p-search/traces?viewId=apples')
  return { app, left: history.state as unknown }
}

test('a view whose conditions were taken away is not there again on the way back from another page', async () => {
  const { left } = await clearedView()
  cleanup()
  // A link to the view shows it.
  history.replaceState({ key: 'other' }, '')
  const link = show('?viewId=apples')
  await waitFor(() => expect(link.address()).toContain('search=apples'))
  cleanup()

  history.replaceState(left, '')
  const back = show('?viewId=apples')
  await screen.findByRole('button', { name: 'Only apples (changed)' })
  expect(back.address()).toBe('/project/p-search/traces?viewId=apples')
})

test('nor on the way back from another view', async () => {
  const { app, left } = await clearedView()
  history.replaceState({ key: 'other' }, '')
  await app.user.click(screen.getByRole('button', { name: 'Only apples (changed)' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Only pears' }))
  await screen.findByRole('button', { name: 'Only pears' })
  history.replaceState(left, '')
  app.back()
  await screen.findByRole('button', { name: 'Only apples (changed)' })
  expect(app.address()).toBe('/project/p-search/traces?viewId=apples')
})

import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderApp, type Answers } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'

const observations = 'POST /api/ui/projects/p-search/query/traces'

async function show(address: string, answers: Answers = {}) {
  const app = renderApp(address, {
    'GET /api/ui/auth/session': signedIn('traces:read', 'keys:read'),
    [observations]: { rows: [], cursor: null, searchedBack: null },
    'GET /api/ui/projects/p-search/apiKeys': { apiKeys: [] },
    ...answers,
  })
  await screen.findByRole('navigation', { name: 'Pages' })
  return app
}

const rail = () => within(screen.getByRole('navigation', { name: 'Pages' }))

test('the rail says where one is, leads to the other pages, and can be folded', async () => {
  const { user, address } = await show('/project/p-search')
  const here = () => rail().getAllByRole('link', { current: 'page' })
  expect(here()).toEqual([rail().getByRole('link', { name: 'Home' })])
  await user.click(rail().getByRole('button', { name: 'Collapse sidebar' }))
  // Links with only an icon keep their names.
  await user.click(rail().getByRole('link', { name: 'Settings' }))
  await waitFor(() => expect(address()).toBe('/project/p-search/settings'))
  await waitFor(() => expect(here()).toEqual([rail().getByRole('link', { name: 'Settings' })]))
  await user.click(rail().getByRole('button', { name: 'Expand sidebar' }))
})

test('outside of projects the rail has organizations and the account', async () => {
  await show('/')
  expect(
    rail()
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Organizations', 'Account', 'Inbox'])
})

test('the project switcher finds a project by what is typed', async () => {
  const { user, address } = await show('/project/p-search')
  await user.click(screen.getByRole('button', { name: /Acme.*search.*switch project/ }))
  await user.type(await screen.findByRole('textbox', { name: 'Find a project' }), 'agen')
  const found = screen.getAllByRole('menuitem').map((item) => item.textContent)
  expect(found).toEqual(['Agents'])
  await user.click(screen.getByRole('menuitem', { name: 'Agents' }))
  await waitFor(() => expect(address()).toBe('/project/p-agents'))
})

test('a range that is typed stands in the address and goes along to the next page', async () => {
  const { user, address } = await show('/project/p-search')
  await user.click(screen.getByRole('button', { name: /^Time range/ }))
  const field = await screen.findByRole('textbox', { name: 'Type a range' })
  await user.type(field, 'nonsense')
  screen.getByText('Not a time range yet')
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull()
  await user.clear(field)
  await user.type(field, '3h')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(address()).toBe('/project/p-search?dateRange=3h'))
  await user.click(rail().getByRole('link', { name: 'Settings' }))
  await waitFor(() => expect(address()).toBe('/project/p-search/settings?dateRange=3h'))
})

test('the palette opens by its key, narrows down, and goes where Enter says', async () => {
  const { user, address } = await show('/project/p-search')
  await user.keyboard('{Control>}k{/Control}')
  const search = await screen.findByRole('textbox', { name: 'Search' })
  await user.type(search, 'zzz')
  await screen.findByText(/Nothing found/)
  await user.clear(search)
  await user.type(search, 'api keys')
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/project/p-search/settings/api-keys'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the palette starts empty each time, and Esc closes it', async () => {
  const { user } = await show('/project/p-search')
  await user.click(screen.getByRole('button', { name: /Search and go anywhere/ }))
  await user.type(await screen.findByRole('textbox', { name: 'Search' }), 'keys')
  await user.keyboard('{Escape}{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: /Search and go anywhere/ }))
  expect(await screen.findByRole('textbox', { name: 'Search' })).toHaveProperty('value', '')
})

test('keys: ? shows them, G and a letter go to a page, but not while somebody types', async () => {
  const { user, address } = await show('/project/p-search')
  await user.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await user.keyboard('g,')
  expect(address()).toBe('/project/p-search')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('g,')
  await waitFor(() => expect(address()).toBe('/project/p-search/settings'))
})

test('every page says what it is, and where to read more', async () => {
  const { user } = await show('/project/p-search/settings/api-keys')
  await user.click(screen.getByRole('button', { name: 'What is this page?' }))
  const help = within(await screen.findByRole('dialog', { name: 'What is this page?' }))
  help.getByText(/Keys with which applications send and read/)
  const link = help.getByRole('link', { name: 'Read more' })
  expect(link.getAttribute('href')).toBe('/docs/administration#what-a-key-of-a-project-may-do')
  expect(link.getAttribute('target')).toBe('_blank')
  await user.click(help.getByRole('button', { name: 'Keyboard shortcuts' }))
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(screen.queryByRole('dialog', { name: 'What is this page?' })).toBeNull()
})

test('on phones, what a page is stands in the account menu', async () => {
  const { user } = await show('/account/inbox')
  await user.click(screen.getByRole('button', { name: /^Account of/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'What is this page?' }))
  const help = within(await screen.findByRole('dialog', { name: 'What is this page?' }))
  expect(help.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe(
    '/docs/administration#the-inbox',
  )
})

test('whoever sees only queues gets no keys to other pages', async () => {
  const { user, address } = await show('/project/p-search/annotation-queues', {
    'GET /api/ui/auth/session': signedIn('queues:annotate'),
  })
  await user.keyboard('gt')
  expect(address()).toBe('/project/p-search/annotation-queues')
  await user.keyboard('?')
  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  const goTo = keys.getByRole('heading', { name: 'Go to' }).parentElement
  expect(goTo?.textContent).toMatch(/^Go toAnnotation/)
  expect(keys.queryByText('Sessions')).toBeNull()
})

test('the account menu names the person and signs them out', async () => {
  const complaints = vi.spyOn(console, 'error')
  let isSignedIn = true
  const { user, sent, address } = await show('/account/settings', {
    'GET /api/ui/auth/session': () => Response.json(isSignedIn ? signedIn() : signedOut),
    'GET /api/ui/auth/sessions': { sessions: [] },
    'POST /api/ui/auth/sign-out': () => {
      isSignedIn = false
      return new Response(null, { status: 204 })
    },
  })
  await user.click(screen.getByRole('button', { name: 'Account of Ada Lovelace' }))
  await screen.findByRole('menuitem', { name: 'ada@example.com' })
  await user.click(screen.getByRole('menuitem', { name: 'Sign out' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  await waitFor(() => expect(address()).toBe('/auth/sign-in'))
  expect(sent).toEqual([['POST /api/ui/auth/sign-out', undefined]])
  // The shell was unmounted without rendering once more without a user.
  expect(complaints).not.toHaveBeenCalled()
})

test('the theme goes round: as the system, light, dark', async () => {
  const { user } = await show('/')
  await user.click(screen.getByRole('button', { name: 'Theme: system' }))
  await user.click(screen.getByRole('button', { name: 'Theme: light' }))
  await user.click(screen.getByRole('button', { name: 'Theme: dark' }))
  screen.getByRole('button', { name: 'Theme: system' })
})

test('a confirmation keeps the keys to itself', async () => {
  const { user, address } = await show('/project/p-search/settings/api-keys', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'keys:read', 'keys:write'),
    'GET /api/ui/projects/p-search/apiKeys': {
      apiKeys: [{ id: 'k1', note: 'ours', publicKey: 'pk-lf-1', displaySecretKey: 'sk-…1' }],
    },
  })
  await user.click(await screen.findByRole('button', { name: /^Revoke/ }))
  await screen.findByRole('alertdialog')
  await user.keyboard('?gt')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(address()).toBe('/project/p-search/settings/api-keys')
})

test('pages that show raw data so far are marked in the rail', async () => {
  renderApp('/project/p-agents/settings/general', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'prompts:read'),
  })
  const rail = within(await screen.findByRole('navigation', { name: 'Pages' }))
  rail.getByRole('link', { name: 'Traces' })
  rail.getByRole('link', { name: 'Prompts' })
  rail.getByRole('link', { name: /^Dashboards\s*soon\s*, not finished yet$/ })
})

import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

/** Opens the palette on a page with a time range and an environment, pastes a text and opens what is found. */
async function paste(text: string, hint: string) {
  const observation = { id: 'o/1', traceId: 't 1' }
  const app = renderApp('/project/p-search/traces?dateRange=3h&environment=production', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/projects/p-search/views': { views: [] },
    'GET /api/ui/projects/p-search/v2/observations': { data: [observation], meta: {} },
    'POST /api/ui/projects/p-search/query/traces': () => refusal(500, 'not of interest'),
  })
  await screen.findByRole('combobox', { name: 'Filter and search' })
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.click(await screen.findByPlaceholderText('Page, project, action, or any id'))
  await app.user.paste(text)
  await app.user.click(await screen.findByText(hint))
  return app
}

test('a pasted observation id opens the observation, with the range and environment of the page', async () => {
  const { address } = await paste('o/1', 'Open observation')
  await waitFor(() => expect(address()).toContain('/traces/t%201'))
  const { pathname, searchParams } = new URL(address(), 'http://here.invalid')
  expect(pathname).toBe('/project/p-search/traces/t%201')
  expect(Object.fromEntries(searchParams)).toEqual({
    observation: 'o/1',
    dateRange: '3h',
    environment: 'production',
  })
})

test('a pasted address of this server opens with its parameters', async () => {
  const { address } = await paste(
    `${location.origin}/project/p-search/traces/t2?observation=o2&view=log`,
    'Open address',
  )
  await waitFor(() => expect(address()).toContain('/traces/t2'))
  const { searchParams } = new URL(address(), 'http://here.invalid')
  expect(searchParams.get('observation')).toBe('o2')
  expect(searchParams.get('view')).toBe('log')
})

test('the server is asked when typing pauses, not for every letter', async () => {
  const asked: string[] = []
  const { user } = renderApp('/project/p-search/settings', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/projects/p-search/views': { views: [] },
    'GET /api/ui/projects/p-search/v2/observations': () => {
      asked.push('observations')
      return Response.json({ data: [{ id: 'o-12345', traceId: 't1' }], meta: {} })
    },
  })
  await screen.findByRole('navigation', { name: 'Pages' })
  await user.keyboard('{Control>}k{/Control}')
  const search = await screen.findByPlaceholderText('Page, project, action, or any id')
  for (const text of ['o-1', 'o-12', 'o-123', 'o-1234', 'o-12345'])
    fireEvent.change(search, { target: { value: text } })
  await screen.findByText('Searching…')
  await screen.findByText('Open observation')
  expect(asked).toHaveLength(4) // trace, session, user and observation
})

import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const save = 'PUT /api/ui/projects/p-search/llm-connections'

test('what the form and the server find wrong stands at the fields; then the list follows', async () => {
  let tries = 0
  const { sent, user, address } = renderApp('/project/p-search/settings/llm-connections/new', {
    'GET /api/ui/auth/session': signedIn('project:admin'),
    'GET /api/ui/projects/p-search/llm-connections': { data: [], meta: {} },
    [save]: () =>
      tries++ === 0
        ? refusal(400, 'Invalid request', { provider: 'has odd characters' })
        : Response.json({ id: 'c1' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Save connection' }))
  screen.getByText('Enter a name')
  screen.getByText('Enter the secret key')
  expect(sent).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'openai')
  await user.type(screen.getByLabelText('Secret key'), 'sk-1{Enter}')
  await screen.findByText('has odd characters')
  await user.click(screen.getByRole('button', { name: 'Save connection' }))
  await waitFor(() => expect(address()).toBe('/project/p-search/settings/llm-connections'))
  await screen.findByText('Connection saved')
  expect(sent).toHaveLength(2)
  expect(sent[1]?.[1]).toMatchObject({ provider: 'openai', adapter: 'openai', secretKey: 'sk-1' })
})

test('a connection that cannot be loaded, or is not there, is not replaced by an empty one', async () => {
  const list = 'GET /api/ui/projects/p-search/llm-connections'
  let isDown = true
  const { user } = renderApp('/project/p-search/settings/llm-connections/new?like=gone', {
    'GET /api/ui/auth/session': signedIn('project:admin'),
    [list]: () => (isDown ? refusal(400, 'out of luck') : Response.json({ data: [], meta: {} })),
  })
  await screen.findByText('out of luck')
  expect(screen.queryByRole('button', { name: 'Save connection' })).toBeNull()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('There is no such connection')
  expect(screen.queryByRole('button', { name: 'Save connection' })).toBeNull()
})

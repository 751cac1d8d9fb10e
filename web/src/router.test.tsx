import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { recallKeys, rememberKeys } from '@/features/keys'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'
import { createQueryClient } from './router'
import { sessionKey } from '@/shared/api'

const keys = { publicKey: 'pk', secretKey: 'sk' }

test('secret keys do not outlive the session of whoever made them', async () => {
  let session: object = signedIn()
  const { user } = renderApp('/account/settings', {
    'GET /api/ui/auth/session': () => Response.json(session),
    'POST /api/ui/auth/sign-out': () => {
      session = signedOut
      return new Response(null, { status: 204 })
    },
  })
  await screen.findByRole('heading', { name: 'Account' })
  rememberKeys('p-search', keys)
  await user.keyboard('{Control>}k{/Control}')
  await user.type(
    await screen.findByPlaceholderText('Page, project, action, or any id'),
    'sign out',
  )
  await user.click(await screen.findByRole('menuitem', { name: /Sign out/ }))
  await screen.findByRole('button', { name: 'Sign in' })
  expect(recallKeys('p-search')).toBeUndefined()
})

test('what one user loaded is not there for the next, however the session ended', () => {
  const client = createQueryClient()
  const project = ['project', 'p', 'rows']
  const arrive = (id: string | undefined) =>
    client.setQueryData(sessionKey, { user: id === undefined ? null : { id } })
  arrive('ada')
  rememberKeys('p', keys)
  client.setQueryData(project, 'rows of Ada')
  arrive('ada') // loaded again
  expect(recallKeys('p')).toEqual(keys)
  expect(client.getQueryData(project)).toBe('rows of Ada')
  arrive('grace')
  expect(recallKeys('p')).toBeUndefined()
  expect(client.getQueryData(project)).toBeUndefined()
})

test('a failed start can be tried again', async () => {
  let isDown = true
  const { user } = renderApp('/account/settings', {
    'GET /api/ui/auth/session': () =>
      isDown ? refusal(400, 'the server is out of order') : Response.json(signedIn()),
  })
  await screen.findByText('the server is out of order')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => screen.getByRole('heading', { name: 'Account' }))
})

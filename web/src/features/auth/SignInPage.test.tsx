import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'

const session = 'GET /api/ui/auth/session'
const signIn = 'POST /api/ui/auth/sign-in'

test('nothing is sent before both fields are filled; then one is where one wanted to go', async () => {
  const { sent, user, address } = renderApp('/account/settings', {
    [session]: signedOut,
    [signIn]: () => Response.json(signedIn()),
    'GET /api/ui/auth/sessions': { sessions: [] },
  })
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  screen.getByText('Enter an email address, such as ada@example.com')
  screen.getByText('Enter your password')
  expect(sent).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Email' }), '@example.com ')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await waitFor(() => expect(address()).toBe('/account/settings'))
  await screen.findByRole('heading', { name: 'Account' })
  expect(sent).toEqual([[signIn, { email: 'ada@example.com', password: 'correct horse' }]])
})

test('a refusal is shown, and what was typed stays', async () => {
  const { user } = renderApp('/auth/sign-in', {
    [session]: signedOut,
    [signIn]: () => refusal(401, 'The email address or the password is wrong'),
  })
  const email = await screen.findByRole('textbox', { name: 'Email' })
  await user.type(email, 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'wrong horse{Enter}')
  await screen.findByText('The email address or the password is wrong')
  expect(email).toHaveProperty('value', 'ada@example.com')
})

test('providers take the address along, and their failures are explained without repeating the link', async () => {
  renderApp('/auth/sign-in?returnTo=%2Fproject%2Fp&error=%3Cb%3Eboo', {
    [session]: {
      ...signedOut,
      passwordSignIn: false,
      providers: [{ id: 'corp/sso', name: 'Corp' }],
    },
  })
  const link = await screen.findByRole('link', { name: 'Continue with Corp' })
  expect(link.getAttribute('href')).toBe(
    '/api/ui/auth/oidc/corp%2Fsso/start?returnTo=%2Fproject%2Fp',
  )
  screen.getByText('Sign-in failed. Try again.')
  expect(screen.queryByText(/boo/)).toBeNull()
  expect(screen.queryByLabelText('Password')).toBeNull()
})

test('a server without an owner says how to make one', async () => {
  renderApp('/auth/sign-in', { [session]: { ...signedOut, setupNeeded: true } })
  await screen.findByRole('heading', { name: 'Almanac is not set up yet' })
})

test('who wanted no page in particular goes on in the project where they were', async () => {
  localStorage.setItem('almanac.last-project', 'p-search')
  const { user, address } = renderApp('/auth/sign-in', {
    [session]: signedOut,
    [signIn]: () => Response.json(signedIn()),
  })
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await waitFor(() => expect(address()).toContain('/project/p-search'))
  localStorage.clear()
})

import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'

const session = 'GET /api/ui/auth/session'
const read = 'GET /api/ui/invitations/t1'
const accept = 'POST /api/ui/invitations/t1/accept'
const invitation = {
  email: 'ada@example.com',
  organization: { id: 'o-acme', name: 'Acme' },
  role: 'VIEWER',
  invitedBy: 'Grace',
  accountExists: false,
}

test('somebody new makes an account and lands in the organization', async () => {
  const { sent, user, address } = renderApp('/invite/t1', {
    [session]: signedOut,
    [read]: invitation,
    [accept]: () => Response.json(signedIn()),
  })
  await screen.findByText(/Grace invites you/)
  await user.click(screen.getByRole('button', { name: 'Create account and join' }))
  screen.getByText('Enter your name')
  expect(sent).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await waitFor(() => expect(address()).toBe('/organization/o-acme'))
  expect(sent).toEqual([[accept, { name: 'Ada', password: 'correct horse' }]])
})

test('what the server says about a field stands at the field', async () => {
  const { user } = renderApp('/invite/t1', {
    [session]: signedOut,
    [read]: invitation,
    [accept]: () => refusal(400, 'Invalid request', { name: 'is too long' }),
  })
  const name = await screen.findByRole('textbox', { name: 'Your name' })
  await user.type(name, 'Ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await screen.findByText('is too long')
  expect(name.getAttribute('aria-invalid')).toBe('true')
})

test('somebody with an account joins with a press, after signing in', async () => {
  const { sent, user } = renderApp('/invite/t1', {
    [session]: signedIn(),
    [read]: { ...invitation, accountExists: true },
    [accept]: () => refusal(409, 'You belong to it already'),
  })
  await user.click(await screen.findByRole('button', { name: 'Join' }))
  await screen.findByText('You belong to it already')
  expect(sent).toEqual([[accept, {}]])
})

test('somebody who is signed out is led to the sign-in page and back', async () => {
  renderApp('/invite/t1', { [session]: signedOut, [read]: { ...invitation, accountExists: true } })
  const link = await screen.findByRole('link', { name: 'Sign in to it' })
  expect(link.getAttribute('href')).toBe('/auth/sign-in?returnTo=%2Finvite%2Ft1')
})

test('an invitation that was used says whom to ask', async () => {
  renderApp('/invite/t1', { [session]: signedOut, [read]: () => refusal(404, 'Not found') })
  await screen.findByText(/was used or revoked, or has expired/)
})

test('who is signed in with another account is told that another one is made', async () => {
  const other = { ...invitation, email: 'grace@example.com' }
  renderApp('/invite/t1', { [session]: signedIn(), [read]: other })
  await screen.findByText(/makes another account/)
  screen.getByRole('button', { name: 'Create account and join' })
})

test('who is signed in with another account than that of the address cannot join', async () => {
  const other = { ...invitation, email: 'grace@example.com', accountExists: true }
  renderApp('/invite/t1', { [session]: signedIn(), [read]: other })
  await screen.findByRole('button', { name: 'Sign out' })
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
})

test('the role is named with what it allows', async () => {
  renderApp('/invite/t1', { [session]: signedOut, [read]: invitation })
  await screen.findByText(/Grace invites you as Viewer, .*reads everything but keys and members\./)
})

test('an invitation without a role in the organization names none', async () => {
  renderApp('/invite/t1', { [session]: signedOut, [read]: { ...invitation, role: 'NONE' } })
  const text = await screen.findByText(/You will see the projects that you are given a role in/)
  expect(text.textContent).toContain('Grace invites you, with the address')
})

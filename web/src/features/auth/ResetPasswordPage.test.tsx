import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedOut } from '@/test/sessions'

const session = 'GET /api/ui/auth/session'
const reset = 'POST /api/ui/auth/reset-password'
const forgot = 'POST /api/ui/auth/forgot-password'

test('a new password is set and the sign-in page follows', async () => {
  const { sent, user, address } = renderApp('/auth/reset-password?token=t1', {
    [session]: signedOut,
    [reset]: () => new Response(null, { status: 204 }),
  })
  await user.type(await screen.findByLabelText('New password'), 'short{Enter}')
  screen.getByText('At least 10 characters, 5 more')
  expect(sent).toEqual([])
  await user.type(screen.getByLabelText('New password'), ' no more{Enter}')
  await waitFor(() => expect(address()).toBe('/auth/sign-in'))
  await screen.findByText('Your new password is set. Sign in with it.')
  expect(sent).toEqual([[reset, { token: 't1', password: 'short no more' }]])
})

test('a password that the server refuses says why at the field', async () => {
  const { user } = renderApp('/auth/reset-password?token=t1', {
    [session]: signedOut,
    [reset]: () => refusal(400, 'Invalid request', { password: 'is too common' }),
  })
  await user.type(await screen.findByLabelText('New password'), 'passwordpassword{Enter}')
  await screen.findByText('is too common')
})

test('a link that was used leads to a new one', async () => {
  const { sent, user } = renderApp('/auth/reset-password?token=t1', {
    [session]: { ...signedOut, mail: true },
    [reset]: () => refusal(404, 'Not found'),
    [forgot]: () => new Response(null, { status: 202 }),
  })
  await user.type(await screen.findByLabelText('New password'), 'correct horse{Enter}')
  await screen.findByRole('heading', { name: 'This link no longer works' })
  await user.click(screen.getByRole('link', { name: 'Ask for a new one' }))
  await user.click(await screen.findByRole('button', { name: 'Send the link' }))
  screen.getByText('Enter an email address, such as ada@example.com')
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com{Enter}')
  await screen.findByRole('heading', { name: 'Check your email' })
  expect(sent.slice(1)).toEqual([[forgot, { email: 'ada@example.com' }]])
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { PasswordForm } from './PasswordForm'

afterEach(() => vi.unstubAllGlobals())

function show(answer: () => Response) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json())
    return answer()
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PasswordForm />
    </QueryClientProvider>,
  )
  return { sent, user: userEvent.setup() }
}

const present = () => screen.getByLabelText('Current password')
const next = () => screen.getByLabelText('New password')
const send = () => screen.getByRole('button', { name: 'Change password' })

test('nothing is sent until both fields are right, then the form is empty again', async () => {
  const { sent, user } = show(() => new Response(null, { status: 204 }))
  await user.type(next(), 'short')
  await user.click(send())
  screen.getByText('Enter your current password')
  screen.getByText('At least 10 characters')
  expect(sent).toEqual([])
  await user.type(present(), 'old password')
  await user.type(next(), ' is now long')
  await user.click(send())
  await waitFor(() => expect(next()).toHaveProperty('value', ''))
  expect(sent).toEqual([{ current: 'old password', new: 'short is now long' }])
})

test('a wrong password is said at its field, and what was typed stays', async () => {
  const { user } = show(() =>
    Response.json(
      {
        error: 'invalid_request',
        message: 'Invalid request',
        issues: [{ path: ['current'], message: 'The current password is wrong' }],
      },
      { status: 400 },
    ),
  )
  await user.type(present(), 'wrong')
  await user.type(next(), 'a long password')
  await user.click(send())
  await screen.findByText('The current password is wrong')
  expect(next()).toHaveProperty('value', 'a long password')
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { sessionKey } from '@/features/session'
import { ForgotPasswordPage } from './ForgotPasswordPage'

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/auth/sign-in">{children}</a>,
}))
afterEach(() => vi.unstubAllGlobals())

function show(mail: boolean) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json())
    return new Response(null, { status: 202 })
  })
  const client = new QueryClient()
  client.setQueryData(sessionKey, { user: null, organizations: [], mail })
  render(
    <QueryClientProvider client={client}>
      <ForgotPasswordPage />
    </QueryClientProvider>,
  )
  return { sent, user: userEvent.setup() }
}

test('with mail a link is asked for, and whether there is an account is not told', async () => {
  const { sent, user } = show(true)
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  expect(sent).toEqual([])
  await user.click(screen.getByLabelText('E-mail'))
  await user.paste('ada@example.com ')
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  await screen.findByText(/We sent a link to a new password if there is an account/)
  expect(sent).toEqual([{ email: 'ada@example.com' }])
})

test('without mail the page says whom to ask', () => {
  show(false)
  screen.getByText(/This server sends no e-mail/)
  screen.getByText('almanac users set-password')
  expect(screen.queryByRole('textbox')).toBeNull()
})

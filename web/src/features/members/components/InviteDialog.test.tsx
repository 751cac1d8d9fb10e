import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { ResetLinkDialog } from './ResetLinkDialog'

async function invite(mailed: boolean) {
  const invitation = {
    id: 'i1',
    email: 'grace@example.com',
    role: 'MEMBER',
    projectId: null,
    projectRole: null,
    invitedBy: 'Ada Lovelace',
    createdAt: '2026-11-16T12:00:00.000Z',
    expiresAt: '2026-11-23T12:00:00.000Z',
  }
  const link = 'https://almanac.example.com/invite/token'
  const { user } = renderApp('/organization/o-acme/settings/invitations', {
    'GET /api/ui/auth/session': signedIn('members:write'),
    'GET /api/ui/organizations/o-acme/invitations': { invitations: [] },
    'POST /api/ui/organizations/o-acme/invitations': () =>
      Response.json({ invitation, link, mailed }, { status: 201 }),
  })
  await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
  await user.click(await screen.findByLabelText('Email'))
  await user.paste('grace@example.com')
  await user.click(screen.getByRole('button', { name: 'Create invitation' }))
  await screen.findByText(link)
}

test('an invitation that was mailed says so, and still offers the link', async () => {
  await invite(true)
  screen.getByRole('heading', { name: 'Invitation sent' })
  screen.getByText('An email to grace@example.com is on its way.')
})

test('without mail the link is to be handed over', async () => {
  await invite(false)
  screen.getByRole('heading', { name: 'Share the link' })
  expect(screen.queryByText(/is on its way/)).toBeNull()
  screen.getByText(/Earlier links for this address no longer work/)
})

test.each([true, false])('a link to a new password, mailed: %s', async (mailed) => {
  const link = 'https://almanac.example.com/auth/reset-password?token=token'
  const member = {
    userId: 'u2',
    email: 'grace@example.com',
    name: 'Grace',
    role: 'MEMBER' as const,
    disabled: false,
    pending: false,
  }
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({ link, expiresAt: '2026-11-16T13:00:00.000Z', mailed }, { status: 201 }),
    ),
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ResetLinkDialog organizationId="o-acme" member={member} onClose={() => {}} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Create the link' }))
  await screen.findByText(link)
  expect(screen.queryAllByText('An email to grace@example.com is on its way.')).toHaveLength(
    mailed ? 1 : 0,
  )
})

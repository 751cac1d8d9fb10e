import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { sessionKey } from '@/features/session'
import { InviteDialog } from './InviteDialog'
import { ResetLinkDialog } from './ResetLinkDialog'

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useParams: () => ({ organizationId: 'o-acme' }),
}))
afterEach(() => vi.unstubAllGlobals())

const acme = { id: 'o-acme', name: 'Acme', role: 'OWNER', permissions: [], projects: [] }

function show(answer: unknown, dialog: React.ReactNode) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer, { status: 201 })))
  const client = new QueryClient()
  client.setQueryData(sessionKey, { organizations: [acme] })
  render(<QueryClientProvider client={client}>{dialog}</QueryClientProvider>)
  return userEvent.setup()
}

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
  const user = show({ invitation, link, mailed }, <InviteDialog isOpen onClose={() => {}} />)
  await user.click(screen.getByLabelText('E-mail'))
  await user.paste('grace@example.com')
  await user.click(screen.getByRole('button', { name: 'Create invitation' }))
  await screen.findByText(link)
}

test('an invitation that was mailed says so, and still offers the link', async () => {
  await invite(true)
  screen.getByRole('heading', { name: 'Invitation sent' })
  screen.getByText('An e-mail to grace@example.com is on its way.')
})

test('without mail the link is to be handed over', async () => {
  await invite(false)
  screen.getByRole('heading', { name: 'Hand over the link' })
  expect(screen.queryByText(/is on its way/)).toBeNull()
})

test.each([true, false])('a link to a new password, mailed: %s', async (mailed) => {
  const link = 'https://almanac.example.com/auth/reset-password?token=token'
  const member = {
    userId: 'u2',
    email: 'grace@example.com',
    name: 'Grace',
    role: 'MEMBER' as const,
    disabled: false,
  }
  const user = show(
    { link, expiresAt: '2026-11-16T13:00:00.000Z', mailed },
    <ResetLinkDialog organizationId="o-acme" member={member} onClose={() => {}} />,
  )
  await user.click(screen.getByRole('button', { name: 'Make the link' }))
  await screen.findByText(link)
  expect(screen.queryAllByText('An e-mail to grace@example.com is on its way.')).toHaveLength(
    mailed ? 1 : 0,
  )
})

import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const list = 'GET /api/ui/organizations/o-acme/invitations'
const invite = 'POST /api/ui/organizations/o-acme/invitations'
const revoke = 'DELETE /api/ui/organizations/o-acme/invitations/i1'
const invitation = {
  id: 'i1',
  email: 'grace@example.com',
  role: 'MEMBER',
  projectId: null,
  projectRole: null,
  invitedBy: 'Ada',
  createdAt: '2026-11-16T12:00:00.000Z',
  expiresAt: '2026-11-23T12:00:00.000Z',
}

async function show(answers: Answers, ...permissions: string[]) {
  const app = renderApp('/organization/o-acme/settings/invitations', {
    'GET /api/ui/auth/session': signedIn(...permissions),
    ...answers,
  })
  await screen.findByRole('heading', { name: 'Invitations' })
  return app
}

test('an address that the server refuses is said at its field; the link is shown once', async () => {
  let tries = 0
  const { sent, user } = await show(
    {
      [list]: { invitations: [] },
      [invite]: () =>
        tries++ === 0
          ? refusal(400, 'Invalid request', { email: 'belongs to it already' })
          : Response.json(
              { invitation, link: 'https://almanac.example/invite/t1', sent: false },
              { status: 201 },
            ),
    },
    'members:write',
  )
  await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Create invitation' }))
  dialog.getByText('Enter an email address, such as ada@example.com')
  await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'grace@example.com{Enter}')
  await dialog.findByText('belongs to it already')
  await user.click(dialog.getByRole('button', { name: 'Create invitation' }))
  await dialog.findByText('https://almanac.example/invite/t1')
  expect(sent).toEqual([
    [invite, { email: 'grace@example.com', role: 'MEMBER' }],
    [invite, { email: 'grace@example.com', role: 'MEMBER' }],
  ])
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an invitation is taken back after a question', async () => {
  const { sent, user } = await show(
    { [list]: { invitations: [invitation] }, [revoke]: () => new Response(null, { status: 204 }) },
    'members:write',
  )
  await user.click(
    await screen.findByRole('button', { name: 'Revoke the invitation of grace@example.com' }),
  )
  expect(sent).toEqual([])
  screen.getByText('Revoke this invitation?')
  await user.click(screen.getByRole('button', { name: 'Revoke' }))
  await screen.findByText('Invitation revoked')
  expect(sent).toEqual([[revoke, undefined]])
  expect(screen.queryByText('Revoke this invitation?')).toBeNull()
})

test('who may not invite is told which role may, and where they are', async () => {
  await show({})
  await screen.findByText(/Admin/)
  const pages = within(screen.getByRole('navigation', { name: 'Organization settings' }))
  const here = pages.getAllByRole('link', { current: 'page' })
  expect(here.map((link) => link.textContent)).toEqual(['Invitations'])
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
})

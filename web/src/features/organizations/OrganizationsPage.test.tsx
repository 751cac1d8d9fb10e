import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const create = 'POST /api/ui/organizations'

test('a refused name is said at the field and forgotten with the dialog; a new organization is opened', async () => {
  let tries = 0
  const { sent, user, address } = renderApp('/', {
    'GET /api/ui/auth/session': signedIn(),
    [create]: () =>
      tries++ === 0
        ? refusal(400, 'Invalid request', { name: 'is taken' })
        : Response.json({ id: 'o-acme', name: 'Acme' }, { status: 201 }),
  })
  await user.click(await screen.findByRole('button', { name: 'New organization' }))
  const field = () => within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Name' })
  await user.type(field(), 'Acme{Enter}')
  await screen.findByText('is taken')
  expect(field().getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'New organization' }))
  expect(screen.queryByText('is taken')).toBeNull()
  await user.type(field(), ' Acme {Enter}')
  await waitFor(() => expect(address()).toBe('/organization/o-acme'))
  expect(sent.map(([, body]) => body)).toEqual([{ name: 'Acme' }, { name: 'Acme' }])
})

test('a membership that an organization gave is accepted or declined', async () => {
  const offer = {
    organizationId: 'o-new',
    organizationName: 'New',
    role: 'MEMBER',
    needsProof: false,
  }
  const unproven = { ...offer, organizationId: 'o-old', organizationName: 'Old', needsProof: true }
  const { sent, user } = renderApp('/', {
    'GET /api/ui/auth/session': { ...signedIn(), offers: [offer, unproven] },
    'POST /api/ui/account/memberships/o-new/accept': signedIn(),
    'DELETE /api/ui/account/memberships/o-old': () => new Response(null, { status: 204 }),
  })
  const of = async (name: string) =>
    within(await screen.findByRole('region', { name: `Membership of ${name}` }))
  expect((await of('Old')).getByRole('button', { name: 'Accept' })).toHaveProperty('disabled', true)
  await user.click((await of('Old')).getByRole('button', { name: 'Decline' }))
  await user.click((await of('New')).getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(sent.map(([request]) => request)).toHaveLength(2))
})

test('how to prove an address depends on what the server offers', async () => {
  const offer = { organizationId: 'o', organizationName: 'New', role: 'MEMBER', needsProof: true }
  const { unmount } = renderApp('/', {
    'GET /api/ui/auth/session': { ...signedIn(), offers: [offer], mail: true },
  })
  await screen.findByText(/sign out and choose “Forgot your password\?”\.$/)
  unmount()
  renderApp('/', { 'GET /api/ui/auth/session': { ...signedIn(), offers: [offer] } })
  await screen.findByText(/ask the operator of this server/)
})

test('members can leave, and are told why they cannot', async () => {
  let isLast = true
  const leave = 'DELETE /api/ui/account/memberships/o-acme'
  const { sent, user, address } = renderApp('/organization/o-acme/settings', {
    'GET /api/ui/auth/session': signedIn(),
    [leave]: () =>
      isLast ? refusal(409, 'The last owner cannot leave.') : new Response(null, { status: 204 }),
  })
  await user.click(await screen.findByRole('button', { name: 'Leave organization' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Leave organization' }))
  await dialog.findByText('The last owner cannot leave.')
  isLast = false
  await user.click(dialog.getByRole('button', { name: 'Leave organization' }))
  await screen.findByText('You left Acme')
  expect(address()).toBe('/')
  expect(sent.map(([asked]) => asked)).toEqual([leave, leave])
})

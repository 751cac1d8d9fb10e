import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const member = (userId: string, name: string, role: string, projectRole: string | null = null) => ({
  userId,
  email: `${userId}@example.com`,
  name,
  role: projectRole ?? role,
  organizationRole: role,
  projectRole,
  disabled: false,
  pending: false,
})

/** A session with the admin role everywhere. */
function admin() {
  const session = signedIn('members:read', 'members:write')
  return {
    ...session,
    organizations: session.organizations.map((organization) => ({
      ...organization,
      role: 'ADMIN',
      projects: organization.projects.map((project) => ({ ...project, role: 'ADMIN' })),
    })),
  }
}

const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest<HTMLElement>('[role="row"]')
  if (!row) throw new Error(`${name} is in no row`)
  return within(row)
}

test('an admin can change members and admins, but no owner', async () => {
  renderApp('/organization/o-acme/settings/members', {
    'GET /api/ui/auth/session': admin(),
    'GET /api/ui/organizations/o-acme/members': {
      members: [member('u2', 'Grace', 'OWNER'), member('u3', 'Alan', 'ADMIN')],
    },
  })
  const alan = await rowOf('Alan')
  alan.getByRole('button', { name: /Alan.*’s role/ })
  alan.getByRole('button', { name: 'Actions for Alan' })
  const grace = await rowOf('Grace')
  grace.getByText('Owner')
  expect(grace.queryByRole('button')).toBeNull()
})

test('an admin of a project neither changes an owner nor makes one by what the organization says', async () => {
  const { user } = renderApp('/project/p-agents/settings/members', {
    'GET /api/ui/auth/session': admin(),
    'GET /api/ui/projects/p-agents/members': {
      members: [member('u2', 'Grace', 'OWNER'), member('u3', 'Alan', 'OWNER', 'VIEWER')],
    },
  })
  expect((await rowOf('Grace')).queryByRole('button')).toBeNull()
  await user.click((await rowOf('Alan')).getByRole('button', { name: /Alan.*’s role/ }))
  const inherited = await screen.findByRole('option', { name: /As in the organization/ })
  expect(inherited.getAttribute('aria-disabled')).toBe('true')
})

test('a member who has not agreed yet is marked', async () => {
  renderApp('/organization/o-acme/settings/members', {
    'GET /api/ui/auth/session': admin(),
    'GET /api/ui/organizations/o-acme/members': {
      members: [
        { ...member('u2', 'Grace', 'MEMBER'), pending: true },
        member('u3', 'Alan', 'ADMIN'),
      ],
    },
  })
  ;(await rowOf('Grace')).getByText('Pending')
  expect((await rowOf('Alan')).queryByText('Pending')).toBeNull()
})

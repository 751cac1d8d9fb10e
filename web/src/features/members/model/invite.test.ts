import { expect, test } from 'vitest'
import { invitationRequest, inviteProblems, noProject, type InviteValues } from './invite'

const values: InviteValues = {
  email: ' grace@example.com ',
  role: 'MEMBER',
  projectId: noProject,
  projectRole: 'ADMIN',
}

test('an invitation has a role in a project only if one was chosen', () => {
  expect(invitationRequest(values)).toEqual({ email: 'grace@example.com', role: 'MEMBER' })
  expect(invitationRequest({ ...values, projectId: 'p1' })).toEqual({
    email: 'grace@example.com',
    role: 'MEMBER',
    projectId: 'p1',
    projectRole: 'ADMIN',
  })
})

test('the address has to look like one', () => {
  expect(inviteProblems(values)).toEqual({})
  for (const email of [' ', 'grace'])
    expect(inviteProblems({ ...values, email })).toEqual({
      email: 'Enter an email address, such as ada@example.com',
    })
})

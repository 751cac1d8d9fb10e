import type { Role } from '@/features/roles'
import type { NewInvitation } from '../api/useInvitations'

export type InviteValues = { email: string; role: Role; projectId: string; projectRole: Role }

/** Stands for "no project" in a select, which has no empty values. */
export const noProject = '-'

export function inviteProblems(values: InviteValues): { email?: string } {
  const email = values.email.trim()
  if (email === '') return { email: 'Enter an e-mail address' }
  return /^\S+@\S+$/.test(email) ? {} : { email: 'This is no e-mail address' }
}

export function invitationRequest(values: InviteValues): NewInvitation {
  const { role, projectId, projectRole } = values
  const email = values.email.trim()
  return projectId === noProject ? { email, role } : { email, role, projectId, projectRole }
}

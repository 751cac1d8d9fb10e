import type { Role } from '@/shared/roles'
import { emailProblem } from '@/shared/lib/email'
import type { NewInvitation } from '../api/useInvitations'

export type InviteValues = { email: string; role: Role; projectId: string; projectRole: Role }

/** Represents "no project" in a select, which cannot have empty values. */
export const noProject = '-'

export function inviteProblems(values: InviteValues): { email?: string } {
  return { email: emailProblem(values.email) }
}

export function invitationRequest(values: InviteValues): NewInvitation {
  const { role, projectId, projectRole } = values
  const email = values.email.trim()
  return projectId === noProject ? { email, role } : { email, role, projectId, projectRole }
}

import { useParams } from '@tanstack/react-router'
import { can, findOrganization, findProject } from '../model/session'
import { useSession } from './useSession'

/** The user's role in the project of the URL, or in its organization if it names no project. */
export function useAccess() {
  const { projectId, organizationId } = useParams({ strict: false })
  const session = useSession()
  const holder =
    projectId === undefined
      ? findOrganization(session, organizationId ?? '')
      : findProject(session, projectId)?.project
  return {
    level: projectId === undefined ? ('organization' as const) : ('project' as const),
    role: holder?.role ?? ('NONE' as const),
    can: (permission: string) => can(holder, permission),
  }
}

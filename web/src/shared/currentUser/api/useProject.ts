import { useParams } from '@tanstack/react-router'
import { can, findProject, type Organization, type Project } from '../model/session'
import { useSession } from './useSession'

/** The project in the URL, its organization, and what the user may do in it. */
export function useProject(): {
  project: Project
  organization: Organization
  can: (permission: string) => boolean
} {
  const { projectId } = useParams({ strict: false })
  const found = findProject(useSession(), projectId ?? '')
  if (!found) throw new Error('You do not have access to this project any more. Reload the page.')
  return { ...found, can: (permission) => can(found.project, permission) }
}

import { useParams } from '@tanstack/react-router'
import { can, findOrganization, type Organization } from '../model/session'
import { useSession } from './useSession'

/** The organization in the URL, and what the user may do in it. */
export function useOrganization(): {
  organization: Organization
  can: (permission: string) => boolean
} {
  const { organizationId } = useParams({ strict: false })
  const organization = findOrganization(useSession(), organizationId ?? '')
  if (!organization)
    throw new Error('You do not have access to this organization any more. Reload the page.')
  return { organization, can: (permission) => can(organization, permission) }
}

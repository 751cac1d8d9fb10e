import { exampleSession } from '@/shared/currentUser/testing/exampleSession'

/** Nobody is signed in. */
export const signedOut = { ...exampleSession, user: null, organizations: [] }

/** A user is signed in with these permissions in every organization and project. */
export function signedIn(...permissions: string[]) {
  return {
    ...exampleSession,
    organizations: exampleSession.organizations.map((organization) => ({
      ...organization,
      permissions,
      projects: organization.projects.map((project) => ({ ...project, permissions })),
    })),
  }
}

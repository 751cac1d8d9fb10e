import type { UiPaths } from '@/shared/api'

type Wire =
  UiPaths['/api/ui/auth/session']['get']['responses']['200']['content']['application/json']

export type Session = Wire
export type User = NonNullable<Session['user']>
export type Organization = Session['organizations'][number]
export type Project = Organization['projects'][number]

/** The session as pages need it: as sent by the server, with organizations and projects sorted by name. */
export function toSession(wire: Wire): Session {
  const byName = <T extends { name: string }>(list: readonly T[]) =>
    list.toSorted((a, b) =>
      a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' }),
    )
  return {
    ...wire,
    organizations: byName(wire.organizations).map((each) => ({
      ...each,
      projects: byName(each.projects),
    })),
  }
}

/** A project with its organization, if the user may see it. */
export function findProject(
  session: Session,
  projectId: string,
): { organization: Organization; project: Project } | undefined {
  for (const organization of session.organizations) {
    const project = organization.projects.find((each) => each.id === projectId)
    if (project) return { organization, project }
  }
  return undefined
}

export function findOrganization(
  session: Session,
  organizationId: string,
): Organization | undefined {
  return session.organizations.find((each) => each.id === organizationId)
}

/** Whether the user holds a permission there. The server checks again; this decides only what is shown. */
export function can(
  holder: { permissions: readonly string[] } | undefined,
  permission: string,
): boolean {
  return holder?.permissions.includes(permission) ?? false
}

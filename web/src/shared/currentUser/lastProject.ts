import { readStored, writeStored } from '@/shared/lib/preference'
import { findProject, type Session } from './model/session'

const key = 'almanac.last-project'

/** Remembers the open project, for addresses that mean the last one: /project/~/traces. */
export function rememberProject(projectId: string): void {
  writeStored(key, projectId)
}

/** The last open project, or the first one that the user may see. */
export function lastProject(session: Session): string | undefined {
  const remembered = readStored(key)
  if (remembered !== null && findProject(session, remembered)) return remembered
  return session.organizations.flatMap((organization) => organization.projects)[0]?.id
}

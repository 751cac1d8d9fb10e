import { readStored, writeStored } from '@/lib/preference'
import { findProject, type Session } from './model/session'

const key = 'almanac.last-project'

/** Keeps which project was open, for addresses that say "the one I was in": /project/~/traces. */
export function rememberProject(projectId: string): void {
  writeStored(key, projectId)
}

/** The project that was open last, or the first one that the person may see. */
export function lastProject(session: Session): string | undefined {
  const remembered = readStored(key)
  if (remembered !== null && findProject(session, remembered)) return remembered
  return session.organizations.flatMap((organization) => organization.projects)[0]?.id
}

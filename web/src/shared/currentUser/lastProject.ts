import { readStored, writeStored } from '@/shared/lib/preference'
import { findProject, type Session } from './model/session'

const key = 'almanac.last-project'

/** Remembers the open project, for addresses that mean the last one: /project/~/traces. */
export function rememberProject(projectId: string): void {
  writeStored(key, projectId)
}

/** The last project that was open in this browser, if the user may still see it. */
export function rememberedProject(session: Session): string | undefined {
  const remembered = readStored(key)
  return remembered !== null && findProject(session, remembered) ? remembered : undefined
}

/** The last open project, or the first one that the user may see. */
export function lastProject(session: Session): string | undefined {
  return (
    rememberedProject(session) ??
    session.organizations.flatMap((organization) => organization.projects)[0]?.id
  )
}

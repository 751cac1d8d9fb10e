import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Session, User } from '../model/session'
import { sessionQuery } from './sessionQuery'

/** The session for which a page behind sign-in is shown. */
export const ShownSession = createContext<Session | undefined>(undefined)

/**
 * The session. Routes load it before anything else, so it is always there. When it ends, the parts of a page may be drawn once
 * more before the page is taken away: they keep the session that it is shown for. What is shown to a visitor, who has no user, is
 * shown so also if somebody is signed in.
 */
export function useSession(): Session {
  const shown = use(ShownSession)
  const { data } = useSuspenseQuery(sessionQuery)
  return data.user === null || shown?.user === null ? (shown ?? data) : data
}

/** The person who is signed in; pages behind sign-in have one. */
export function useUser(): User {
  const { user } = useSession()
  if (!user) throw new Error('Nobody is signed in')
  return user
}

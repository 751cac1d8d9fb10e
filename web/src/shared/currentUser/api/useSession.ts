import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Session, User } from '../model/session'
import { sessionQuery } from './sessionQuery'

/** The session that a page after sign-in is shown for. */
export const ShownSession = createContext<Session | undefined>(undefined)

/**
 * The session. Routes load it before anything else, so it is always available. When it ends, parts of a page may render
 * once more before the page is unmounted: they keep the session that the page is shown for. A page shown to a visitor,
 * who has no user, stays that way even if somebody is signed in.
 */
export function useSession(): Session {
  const shown = use(ShownSession)
  const { data } = useSuspenseQuery(sessionQuery)
  return data.user === null || shown?.user === null ? (shown ?? data) : data
}

/** The signed-in user; pages after sign-in always have one. */
export function useUser(): User {
  const { user } = useSession()
  if (!user) throw new Error('Nobody is signed in')
  return user
}

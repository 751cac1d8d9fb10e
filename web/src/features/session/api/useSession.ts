import { useSuspenseQuery } from '@tanstack/react-query'
import type { Session, User } from '../model/session'
import { sessionQuery } from './sessionQuery'

/** The session. Routes load it before anything else, so it is always there. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** The person who is signed in; pages behind sign-in have one. */
export function useUser(): User {
  const { user } = useSession()
  if (!user) throw new Error('Nobody is signed in')
  return user
}

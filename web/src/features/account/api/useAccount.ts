import { useQuery } from '@tanstack/react-query'
import { sessionKey, ui, unwrap, useChange, type UiComponents } from '@/shared/api'

export type SignIn = UiComponents['schemas']['SessionList']['sessions'][number]

const sessionsKey = ['account', 'sessions']

export function useRename() {
  return useChange([sessionKey], (name: string) =>
    unwrap(ui.PATCH('/api/ui/account', { body: { name } })),
  )
}

/** Changes the password, which ends all other sessions. */
export function useChangePassword() {
  return useChange([sessionsKey], (body: { current: string; new: string }) =>
    unwrap(ui.PUT('/api/ui/account/password', { body })),
  )
}

export function useSignIns() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) =>
      (await unwrap(ui.GET('/api/ui/auth/sessions', { signal }))).sessions,
  })
}

/** Ends one session, or all but this one. */
export function useEndSignIn() {
  return useChange([sessionsKey], async (which: { sessionId: string } | 'others') => {
    if (which === 'others') await unwrap(ui.DELETE('/api/ui/auth/sessions'))
    else await unwrap(ui.DELETE('/api/ui/auth/sessions/{sessionId}', { params: { path: which } }))
  })
}

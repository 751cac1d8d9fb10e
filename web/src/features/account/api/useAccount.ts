import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'
import { sessionKey } from '@/shared/currentUser'

export type SignIn = UiComponents['schemas']['SessionList']['sessions'][number]

const sessionsKey = ['account', 'sessions']

export function useRename() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => unwrap(ui.PATCH('/api/ui/account', { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}

/** Changes the password, which ends all other sessions. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { current: string; new: string }) =>
      unwrap(ui.PUT('/api/ui/account/password', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
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
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (which: { sessionId: string } | 'others') => {
      if (which === 'others') await unwrap(ui.DELETE('/api/ui/auth/sessions'))
      else await unwrap(ui.DELETE('/api/ui/auth/sessions/{sessionId}', { params: { path: which } }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { organizationKey, sessionKey, ui, unwrap, type UiComponents } from '@/shared/api'
import type { Role } from '@/shared/roles'

export type Member = UiComponents['schemas']['Member']

export function useMembers(organizationId: string) {
  return useQuery({
    queryKey: organizationKey(organizationId, 'members'),
    queryFn: async ({ signal }) => {
      const answer = ui.GET('/api/ui/organizations/{organizationId}/members', {
        params: { path: { organizationId } },
        signal,
      })
      return (await unwrap(answer)).members
    },
  })
}

/** Also refetches the session: the changed role may be the user's own. */
function useMemberChange<V, T>(organizationId: string, change: (value: V) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: organizationKey(organizationId, 'members') })
      await client.invalidateQueries({ queryKey: sessionKey })
    },
  })
}

export function useSetMember(organizationId: string) {
  return useMemberChange(organizationId, ({ userId, role }: { userId: string; role: Role }) =>
    unwrap(
      ui.PUT('/api/ui/organizations/{organizationId}/members/{userId}', {
        params: { path: { organizationId, userId } },
        body: { role },
      }),
    ),
  )
}

export function useRemoveMember(organizationId: string) {
  return useMemberChange(organizationId, (userId: string) =>
    unwrap(
      ui.DELETE('/api/ui/organizations/{organizationId}/members/{userId}', {
        params: { path: { organizationId, userId } },
      }),
    ),
  )
}

/** Creates a password reset link to hand over. */
export function useResetLink(organizationId: string) {
  return useMutation({
    mutationFn: (userId: string) =>
      unwrap(
        ui.POST('/api/ui/organizations/{organizationId}/members/{userId}/reset-link', {
          params: { path: { organizationId, userId } },
        }),
      ),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  organizationKey,
  projectApi,
  projectKey,
  ui,
  unwrap,
  useChange,
  type UiComponents,
} from '@/shared/api'
import { rememberKeys } from '../keyMemory'

export type Key = UiComponents['schemas']['Key']
export type NewKeyRequest = UiComponents['schemas']['NewKeyRequest']
export type NewKey = UiComponents['schemas']['NewKey']

/** What a key belongs to. */
export type KeyOwner = { kind: 'project' | 'organization'; id: string }

const keysKey = ({ kind, id }: KeyOwner) =>
  kind === 'project' ? projectKey(id, 'apiKeys') : organizationKey(id, 'apiKeys')

export function useKeys(owner: KeyOwner) {
  return useQuery({
    queryKey: keysKey(owner),
    queryFn: async ({ signal }) => {
      const answer =
        owner.kind === 'project'
          ? projectApi(owner.id).GET('/apiKeys', {
              signal,
            })
          : ui.GET('/api/ui/organizations/{organizationId}/apiKeys', {
              params: { path: { organizationId: owner.id } },
              signal,
            })
      return (await unwrap(answer)).apiKeys
    },
  })
}

/** The response contains the secret, which is never shown again. */
export function useCreateKey(owner: KeyOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewKeyRequest): Promise<NewKey> =>
      unwrap(
        owner.kind === 'project'
          ? projectApi(owner.id).POST('/apiKeys', {
              body,
            })
          : ui.POST('/api/ui/organizations/{organizationId}/apiKeys', {
              params: { path: { organizationId: owner.id } },
              body: { note: body.note, expiresAt: body.expiresAt },
            }),
      ),
    onSuccess: (key) => {
      if (owner.kind === 'project') rememberKeys(owner.id, key)
      return client.invalidateQueries({ queryKey: keysKey(owner) })
    },
  })
}

export function useRevokeKey(owner: KeyOwner) {
  return useChange([keysKey(owner)], (apiKeyId: string) =>
    unwrap(
      owner.kind === 'project'
        ? projectApi(owner.id).DELETE('/apiKeys/{apiKeyId}', {
            params: { path: { apiKeyId } },
          })
        : ui.DELETE('/api/ui/organizations/{organizationId}/apiKeys/{apiKeyId}', {
            params: { path: { organizationId: owner.id, apiKeyId } },
          }),
    ),
  )
}

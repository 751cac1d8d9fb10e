import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, sessionKey, unwrap, type UiComponents } from '@/shared/api'
import type { Role } from '@/shared/roles'

export type ProjectMember = UiComponents['schemas']['ProjectMemberList']['members'][number]

export function useProjectMembers(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'members'),
    queryFn: async ({ signal }) => {
      const answer = projectApi(projectId).GET('/members', {
        signal,
      })
      return (await unwrap(answer)).members
    },
  })
}

/** Sets a role in the project; null removes it, so that the role in the organization applies again. */
export function useSetProjectMember(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ userId, role }: { userId: string; role: Role | null }) => {
      const params = { path: { userId } }
      const api = projectApi(projectId)
      const path = '/members/{userId}'
      if (role === null) await unwrap(api.DELETE(path, { params }))
      else await unwrap(api.PUT(path, { params, body: { role } }))
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: projectKey(projectId, 'members') })
      await client.invalidateQueries({ queryKey: sessionKey })
    },
  })
}

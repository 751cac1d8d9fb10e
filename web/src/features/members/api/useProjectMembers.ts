import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'
import type { Role } from '@/shared/roles'
import { sessionKey } from '@/shared/currentUser'

export type ProjectMember = UiComponents['schemas']['ProjectMemberList']['members'][number]

const membersKey = (projectId: string) => ['project', projectId, 'members']

export function useProjectMembers(projectId: string) {
  return useQuery({
    queryKey: membersKey(projectId),
    queryFn: async ({ signal }) => {
      const answer = ui.GET('/api/ui/projects/{projectId}/members', {
        params: { path: { projectId } },
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
      const params = { path: { projectId, userId } }
      const address = '/api/ui/projects/{projectId}/members/{userId}'
      if (role === null) await unwrap(ui.DELETE(address, { params }))
      else await unwrap(ui.PUT(address, { params, body: { role } }))
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: membersKey(projectId) })
      await client.invalidateQueries({ queryKey: sessionKey })
    },
  })
}

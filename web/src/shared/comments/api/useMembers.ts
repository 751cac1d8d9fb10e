import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import type { Member } from '../model/mentions'

/** The members of the project, as far as the user's role allows. */
export function useMembers(projectId: string): readonly Member[] {
  const { can } = useProject()
  const members = useQuery({
    queryKey: projectKey(projectId, 'members', 'names'),
    queryFn: async ({ signal }): Promise<Member[]> => {
      const found = await unwrap(
        projectApi(projectId).GET('/members', {
          signal,
        }),
      )
      return found.members.map(({ userId, name, email }) => ({ id: userId, name: name || email }))
    },
    enabled: can('members:read'),
    staleTime: 5 * 60_000,
  })
  return members.data ?? none
}

const none: readonly Member[] = []

/** Looks up the names of members by id, as far as the user's role allows. */
export function useMemberNames(projectId: string): (userId: string) => string {
  const members = useMembers(projectId)
  return (userId) => members.find(({ id }) => id === userId)?.name ?? 'A member'
}

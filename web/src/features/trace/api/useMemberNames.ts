import { useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'
import { useProject } from '@/features/session'

/** The names of people by their ids, as far as the role allows to know them. */
export function useMemberNames(projectId: string): (userId: string) => string {
  const { can } = useProject()
  const members = useQuery({
    queryKey: ['project', projectId, 'member-names'],
    queryFn: ({ signal }) =>
      unwrap(
        ui.GET('/api/ui/projects/{projectId}/members', {
          params: { path: { projectId } },
          signal,
        }),
      ),
    enabled: can('members:read'),
    staleTime: 5 * 60_000,
  })
  return (userId) => {
    const member = members.data?.members.find((each) => each.userId === userId)
    return member ? member.name || member.email : 'A member'
  }
}

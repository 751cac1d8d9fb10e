import { useQuery } from '@tanstack/react-query'
import {
  organizationKey,
  projectKey,
  projectApi,
  ui,
  unwrap,
  useChange,
  type UiComponents,
} from '@/shared/api'
import type { NewLimits } from '../model/limits'

export type Storage = UiComponents['schemas']['Storage']
export type ProjectStorage = UiComponents['schemas']['ProjectStorage']

/** The counts go on while the page is open. */
const betweenLooks = 15_000

/** The limits of a project and its organization, with what is used of them, and what the project stores. */
export function useProjectUsage(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'usage'),
    queryFn: ({ signal }) => unwrap(projectApi(projectId).GET('/usage', { signal })),
    refetchInterval: betweenLooks,
  })
}

/** The limits of an organization, with what is used of them, and what its projects store. */
export function useOrganizationUsage(organizationId: string) {
  return useQuery({
    queryKey: organizationKey(organizationId, 'usage'),
    queryFn: ({ signal }) =>
      unwrap(
        ui.GET('/api/ui/organizations/{organizationId}/usage', {
          params: { path: { organizationId } },
          signal,
        }),
      ),
    refetchInterval: betweenLooks,
  })
}

/** Replaces the limits of a project. */
export function useChangeLimits(organizationId: string, projectId: string) {
  return useChange([projectKey(projectId, 'usage')], (body: NewLimits) =>
    unwrap(
      ui.PUT('/api/ui/organizations/{organizationId}/projects/{projectId}/limits', {
        params: { path: { organizationId, projectId } },
        body,
      }),
    ),
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import {
  organizationKey,
  projectApi,
  projectKey,
  ui,
  unwrap,
  type UiComponents,
} from '@/shared/api'

export type AuditEntry = UiComponents['schemas']['AuditLog']['data'][number]

/** The project or organization whose log is read. */
export type AuditScope = { kind: 'project' | 'organization'; id: string }

/** What to look for; empty strings match everything. */
export type AuditFilter = { action: string; resourceType: string }

const pageSize = 100

/** The audit log, newest first, page by page. */
export function useAuditLog(scope: AuditScope, filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey:
      scope.kind === 'project'
        ? projectKey(scope.id, 'auditLog', filter)
        : organizationKey(scope.id, 'auditLog', filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: pageSize,
        cursor: pageParam,
        action: filter.action || undefined,
        resourceType: filter.resourceType || undefined,
      }
      return unwrap(
        scope.kind === 'project'
          ? projectApi(scope.id).GET('/audit-log', {
              params: { query },
              signal,
            })
          : ui.GET('/api/ui/organizations/{organizationId}/audit-log', {
              params: { path: { organizationId: scope.id }, query },
              signal,
            }),
      )
    },
    getNextPageParam: (page) => page.meta.cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  })
}

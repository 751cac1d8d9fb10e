import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
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
    queryFn: ({ pageParam, signal }) =>
      loadPage(
        scope,
        {
          limit: pageSize,
          cursor: pageParam,
          action: filter.action || undefined,
          resourceType: filter.resourceType || undefined,
        },
        signal,
      ),
    getNextPageParam: (page) => page.meta.cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  })
}

/** An entry that is not among the loaded ones: those of its time are asked for. */
export function useAuditEntry(scope: AuditScope, id: string | undefined, time: string | undefined) {
  const at = new Date(time ?? Number.NaN).getTime()
  return useQuery({
    queryKey:
      scope.kind === 'project'
        ? projectKey(scope.id, 'auditLog', 'entry', id)
        : organizationKey(scope.id, 'auditLog', 'entry', id),
    enabled: id !== undefined && !Number.isNaN(at),
    queryFn: async ({ signal }) => {
      const query = {
        limit: pageSize,
        fromTimestamp: new Date(at).toISOString(),
        toTimestamp: new Date(at + 1).toISOString(),
      }
      const { data } = await loadPage(scope, query, signal)
      return data.find((entry) => entry.id === id) ?? null
    },
  })
}

type PageQuery = {
  limit: number
  cursor?: string
  action?: string
  resourceType?: string
  fromTimestamp?: string
  toTimestamp?: string
}

function loadPage(scope: AuditScope, query: PageQuery, signal: AbortSignal) {
  return unwrap(
    scope.kind === 'project'
      ? projectApi(scope.id).GET('/audit-log', { params: { query }, signal })
      : ui.GET('/api/ui/organizations/{organizationId}/audit-log', {
          params: { path: { organizationId: scope.id }, query },
          signal,
        }),
  )
}

import { partsOf } from '@/shared/lib/paths'

export type TraceAddress = { projectId: string; traceId: string }

/** The trace whose page is at a path. Only traces can be published. */
export function traceAt(path: string): TraceAddress | undefined {
  const [project, projectId, traces, traceId, ...more] = partsOf(path)
  if (project !== 'project' || traces !== 'traces' || more.length > 0) return undefined
  if (projectId === undefined || traceId === undefined) return undefined
  return { projectId, traceId }
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useRefresh, type UiComponents } from '@/shared/api'
import { isOpen } from '../model/state'

export type Job = UiComponents['schemas']['Job']

/** The background jobs of a project. Polls often while one of them runs or is about to. */
export function useJobs(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'jobs'),
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/jobs', { signal }))).jobs,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 2000 : 30_000),
  })
}

/** Cancels a job, or runs it again. */
export function useChangeJob(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: ({ job, change }: { job: Job; change: 'cancel' | 'retry' }) =>
      unwrap(
        projectApi(projectId).POST(`/jobs/{kind}/{jobId}/${change}`, {
          params: { path: { kind: job.kind, jobId: job.id } },
        }),
      ),
    onSettled: () => refresh('jobs', 'exports', 'blobStorage'),
  })
}

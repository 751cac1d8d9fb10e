import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'

/** Replaces the labels of a version. */
export function useSetLabels(projectId: string, promptName: string, version: number) {
  return useChange(
    [projectKey(projectId, 'prompts'), projectKey(projectId, 'auditLog')],
    (labels: string[]) =>
      unwrap(
        projectApi(projectId).PUT('/prompts/{promptName}/versions/{version}/labels', {
          params: { path: { promptName, version: String(version) } },
          body: { labels },
        }),
      ),
  )
}

/** Deletes a version, or all of them. */
export function useDeletePrompt(projectId: string, promptName: string) {
  return useChange(
    [projectKey(projectId, 'auditLog')],
    ({ version }: { version: number | undefined }) =>
      unwrap(
        projectApi(projectId).DELETE('/prompts/{promptName}', {
          params: { path: { promptName }, query: { version } },
        }),
      ),
  )
}

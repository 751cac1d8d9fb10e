import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'

/** Replaces the tags of all versions. */
export function useSetTags(projectId: string, promptName: string) {
  return useChange([projectKey(projectId, 'prompts')], (tags: string[]) =>
    unwrap(
      projectApi(projectId).PUT('/prompts/{promptName}/tags', {
        params: { path: { promptName } },
        body: { tags },
      }),
    ),
  )
}

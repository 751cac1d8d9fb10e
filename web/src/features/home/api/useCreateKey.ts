import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { rememberKeys } from '@/features/keys'

/** Creates a pair of keys for the snippet. */
export function useCreateKey(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        projectApi(projectId).POST('/apiKeys', {
          body: { note: 'Created on the start page' },
        }),
      ),
    onSuccess: (key) => {
      rememberKeys(projectId, key)
      return client.invalidateQueries({ queryKey: projectKey(projectId, 'apiKeys') })
    },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { rememberKeys } from '@/features/keys'

/** Creates a pair of keys for the snippet. */
export function useCreateKey(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/apiKeys', {
          params: { path: { projectId } },
          body: { note: 'Created on the start page' },
        }),
      ),
    onSuccess: (key) => {
      rememberKeys(projectId, key)
      return client.invalidateQueries({ queryKey: ['project', projectId, 'api-keys'] })
    },
  })
}

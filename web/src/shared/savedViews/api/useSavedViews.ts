import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'

export type SavedView = UiComponents['schemas']['SavedView']
export type NewView = UiComponents['schemas']['NewView']
export type ViewChange = UiComponents['schemas']['ChangeView']

/** The views that the user may see: their own and those shared in the project. */
export function useSavedViews(projectId: string, isEnabled = true) {
  return useQuery({
    queryKey: projectKey(projectId, 'savedViews'),
    enabled: isEnabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/views', { signal }))).views,
  })
}

export function useCreateView(projectId: string) {
  return useViewChange(projectId, (body: NewView) =>
    unwrap(projectApi(projectId).POST('/views', { body })),
  )
}

export function useUpdateView(projectId: string) {
  return useViewChange(projectId, ({ viewId, ...body }: ViewChange & { viewId: string }) =>
    unwrap(
      projectApi(projectId).PATCH('/views/{viewId}', {
        params: { path: { viewId } },
        body,
      }),
    ),
  )
}

export function useDeleteView(projectId: string) {
  return useViewChange(projectId, (viewId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/views/{viewId}', {
        params: { path: { viewId } },
      }),
    ),
  )
}

/** Sets the view that a table opens with; null for none. */
export function useDefaultView(projectId: string) {
  return useViewChange(projectId, (body: UiComponents['schemas']['DefaultView']) =>
    unwrap(
      projectApi(projectId).PUT('/views/default', {
        body,
      }),
    ),
  )
}

function useViewChange<V, R>(projectId: string, mutationFn: (values: V) => Promise<R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: projectKey(projectId, 'savedViews') }),
  })
}

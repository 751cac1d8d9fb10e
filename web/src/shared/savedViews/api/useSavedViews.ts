import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'

export type SavedView = UiComponents['schemas']['SavedView']
export type NewView = UiComponents['schemas']['NewView']
export type ViewChange = UiComponents['schemas']['ChangeView']

const viewsKey = (projectId: string) => ['project', projectId, 'views']

/** The views that the user may see: their own and those shared in the project. */
export function useSavedViews(projectId: string, isEnabled = true) {
  return useQuery({
    queryKey: viewsKey(projectId),
    enabled: isEnabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          ui.GET('/api/ui/projects/{projectId}/views', { params: { path: { projectId } }, signal }),
        )
      ).views,
  })
}

export function useCreateView(projectId: string) {
  return useViewChange(projectId, (body: NewView) =>
    unwrap(
      ui.POST('/api/ui/projects/{projectId}/views', { params: { path: { projectId } }, body }),
    ),
  )
}

export function useUpdateView(projectId: string) {
  return useViewChange(projectId, ({ viewId, ...body }: ViewChange & { viewId: string }) =>
    unwrap(
      ui.PATCH('/api/ui/projects/{projectId}/views/{viewId}', {
        params: { path: { projectId, viewId } },
        body,
      }),
    ),
  )
}

export function useDeleteView(projectId: string) {
  return useViewChange(projectId, (viewId: string) =>
    unwrap(
      ui.DELETE('/api/ui/projects/{projectId}/views/{viewId}', {
        params: { path: { projectId, viewId } },
      }),
    ),
  )
}

/** Sets the view that a table opens with; null for none. */
export function useDefaultView(projectId: string) {
  return useViewChange(projectId, (body: UiComponents['schemas']['DefaultView']) =>
    unwrap(
      ui.PUT('/api/ui/projects/{projectId}/views/default', {
        params: { path: { projectId } },
        body,
      }),
    ),
  )
}

function useViewChange<V, R>(projectId: string, mutationFn: (values: V) => Promise<R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: viewsKey(projectId) }),
  })
}

import { projectApi, projectKey, unwrap, useChange, type UiComponents } from '@/shared/api'

export type ChosenModel = UiComponents['schemas']['DefaultModel']

export function useSetDefaultModel(projectId: string) {
  return useChange([projectKey(projectId, 'connections')], (chosen: ChosenModel | null) =>
    unwrap(projectApi(projectId).PUT('/default-model', { body: { default: chosen } })),
  )
}

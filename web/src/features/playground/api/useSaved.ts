import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'
import type { Draft } from '../model/draft'
import { isState } from '../model/isState'
import type { State } from '../model/state'

const savedKey = (projectId: string) => projectKey(projectId, 'playground', 'saved')

/** The saved playgrounds, without what is in them. */
export function useSavedList(projectId: string) {
  return useQuery({
    queryKey: savedKey(projectId),
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/playgrounds', { signal }))).playgrounds,
  })
}

/** A saved playground, as it is opened. */
export async function openSaved(
  projectId: string,
  playgroundId: string,
  signal?: AbortSignal,
): Promise<Draft> {
  const found = await unwrap(
    projectApi(projectId).GET('/playgrounds/{playgroundId}', {
      params: { path: { playgroundId } },
      signal,
    }),
  )
  const { id, name, updatedAt, state } = found
  if (!isState(state))
    throw new Error('This playground was saved by another version and cannot be shown.')
  return { state, saved: { id, name, updatedAt, text: JSON.stringify(state) } }
}

type Saving = { name: string; state: State; saved?: { id: string; basedOn: string | null } }

/** Saves a playground, or saves it again. basedOn null overwrites what somebody else has saved in the meantime. */
export function useSavePlayground(projectId: string) {
  return useChange([savedKey(projectId)], ({ name, state, saved }: Saving) =>
    unwrap(
      saved === undefined
        ? projectApi(projectId).POST('/playgrounds', { body: { name, state } })
        : projectApi(projectId).PUT('/playgrounds/{playgroundId}', {
            params: { path: { playgroundId: saved.id } },
            body: { name, state, basedOn: saved.basedOn },
          }),
    ),
  )
}

export function useDeletePlayground(projectId: string) {
  return useChange([savedKey(projectId)], (playgroundId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/playgrounds/{playgroundId}', {
        params: { path: { playgroundId } },
      }),
    ),
  )
}

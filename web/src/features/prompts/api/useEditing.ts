import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  ApiError,
  messageOf,
  projectApi,
  projectKey,
  toApiError,
  ui,
  unreached,
  unwrap,
  useChange,
  type UiComponents,
} from '@/shared/api'
import { writeReference, type PromptReference } from '@/shared/prompts'
import { saveBody, type Draft } from '../model/draft'

type Schemas = UiComponents['schemas']

/** What somebody else has saved since the base. */
export type Stale = { message: string; newest: number | null; since: Schemas['PromptVersionRow'][] }

export type Saving =
  { kind: 'saved' | 'unchanged'; name: string; version: number } | ({ kind: 'stale' } & Stale)

type SaveOptions = { draft: Draft; evenIfUnchanged?: boolean }

/** Saves a version, unless nothing has changed or somebody else has saved one since. */
export function useSaveVersion(projectId: string) {
  return useChange(
    [projectKey(projectId, 'prompts')],
    async ({ draft, evenIfUnchanged = false }: SaveOptions): Promise<Saving> => {
      const { data, error, response } = await ui
        .POST('/api/ui/projects/{projectId}/prompts', {
          params: { path: { projectId } },
          body: { name: draft.name, type: draft.type, prompt: '', evenIfUnchanged },
          // As text: parsing would change large numbers.
          bodySerializer: () => saveBody(draft, evenIfUnchanged),
        })
        .catch((cause: unknown) => {
          throw unreached(cause)
        })
      if (data) {
        const { name, version } = data.prompt
        return { kind: data.unchanged ? 'unchanged' : 'saved', name, version }
      }
      if (response.status === 409 && typeof error === 'object' && 'since' in error)
        return {
          kind: 'stale',
          message: error.message,
          newest: error.newest,
          since: error.since,
        }
      throw toApiError(response.status, error)
    },
  )
}

/** Whether a new prompt can have this name. */
export function useNameCheck(projectId: string, name: string, isEnabled: boolean) {
  const wanted = name.trim()
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'name', wanted),
    enabled: isEnabled && wanted !== '',
    queryFn: ({ signal }) =>
      unwrap(projectApi(projectId).POST('/prompts/check-name', { body: { name: wanted }, signal })),
    staleTime: 5000,
  })
}

/** The prompt that has a version with this id, and the number of that version if it is one of the newest hundred. */
export function usePromptOfVersion(projectId: string, versionId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'of version', versionId),
    queryFn: async ({ signal }) => {
      const { prompts } = await unwrap(
        projectApi(projectId).POST('/query/prompts', {
          body: { versionId, in: 'name', limit: 1 },
          signal,
        }),
      )
      const [prompt] = prompts
      if (!prompt) return null
      const page = await unwrap(
        projectApi(projectId).GET('/prompts/{promptName}/versions', {
          params: { path: { promptName: prompt.name }, query: { limit: 100 } },
          signal,
        }),
      )
      const version = page.versions.find(({ id }) => id === versionId)?.version
      return { name: prompt.name, version }
    },
  })
}

/** What a reference stands for: its text, or why there is none. */
export type Found =
  | { reference: PromptReference; state: 'loading' }
  | { reference: PromptReference; state: 'found'; text: string; version: number }
  /** Refused ones cannot be saved either; of others it is not known yet, as without a connection. */
  | { reference: PromptReference; state: 'failed'; problem: string; isRefused: boolean }

/** The texts of the prompts that a draft of a name refers to. The answer is the same while nothing has changed. */
export function useReferences(
  projectId: string,
  draftName: string,
  references: readonly PromptReference[],
): readonly Found[] {
  return useQueries({
    queries: references.map((reference) => ({
      queryKey: projectKey(projectId, 'prompts', 'reference', writeReference(reference)),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { name, ...which } = reference
        const prompt = await unwrap(
          projectApi(projectId).GET('/v2/prompts/{promptName}', {
            params: { path: { promptName: name }, query: which },
            signal,
          }),
        )
        return { type: prompt.type, text: prompt.prompt, version: prompt.version }
      },
      staleTime: 30_000,
      retry: false,
    })),
    combine: (results) =>
      references.map((reference, at): Found => {
        const failed = (problem: string, isRefused = true): Found => ({
          reference,
          state: 'failed',
          problem,
          isRefused,
        })
        if (reference.name === draftName.trim()) return failed('A prompt cannot insert itself.')
        const result = results[at]
        if (result?.isError) return failed(messageOf(result.error), isRefusal(result.error))
        const prompt = result?.data
        if (!prompt) return { reference, state: 'loading' }
        return typeof prompt.text === 'string'
          ? { reference, state: 'found', text: prompt.text, version: prompt.version }
          : failed('Only text prompts can be inserted; this is chat.')
      }),
  })
}

/** The texts that were found, and what is wrong with references that lead nowhere, by how the references are written. */
export function textsOf(found: readonly Found[]) {
  const texts = new Map<string, string>()
  const refused = new Map<string, string>()
  for (const each of found) {
    const written = writeReference(each.reference)
    if (each.state === 'found') texts.set(written, each.text)
    if (each.state === 'failed' && each.isRefused) refused.set(written, each.problem)
  }
  return { texts, refused }
}

/** Whether the server has read the reference and found that it leads nowhere. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 422].includes(error.status)
}

/** What the editor completes references with. */
export function useReferenceSource(projectId: string) {
  return useMemo(
    () => ({
      names: async (typed: string) => {
        const { prompts } = await unwrap(
          projectApi(projectId).POST('/query/prompts', {
            body: { search: typed, in: 'name', type: 'text', limit: 50 },
          }),
        )
        return prompts.map(({ name }) => name)
      },
      labels: async (name: string) => {
        const { labels, newest } = await unwrap(
          projectApi(projectId).GET('/prompts/{promptName}/versions', {
            params: { path: { promptName: name }, query: { limit: 1 } },
          }),
        )
        return { labels, newest }
      },
    }),
    [projectId],
  )
}

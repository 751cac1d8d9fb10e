import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import { readVersion } from '../model/readVersion'

type Schemas = UiComponents['schemas']
export type PromptVersionRow = Schemas['PromptVersionRow']
export type PromptVersionsPage = Schemas['PromptVersions']
export type PromptDependent = Schemas['PromptDependent']

/**
 * The versions of a prompt without their content, newest first, page by page, with what belongs to the name: tags, labels
 * and which of them are protected.
 */
export function usePromptVersions(projectId: string, name: string, search = '') {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'prompts', 'versions', name, search),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/prompts/{promptName}/versions', {
          params: {
            path: { promptName: name },
            query: { cursor: pageParam, search: search || undefined, limit: 100 },
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

export type WhichVersion = number | 'latest'

/** A version with its content; with `resolve` also what its references become. */
export function promptVersionOptions(
  projectId: string,
  name: string,
  version: WhichVersion,
  resolve = false,
) {
  return queryOptions({
    queryKey: projectKey(projectId, 'prompts', 'version', name, version, resolve),
    queryFn: async ({ signal }) =>
      readVersion(
        await unwrap(
          projectApi(projectId).GET('/prompts/{promptName}/versions/{version}', {
            params: {
              path: { promptName: name, version: String(version) },
              query: resolve ? { resolve } : {},
            },
            parseAs: 'text',
            signal,
          }),
        ),
      ),
    staleTime: 30_000,
  })
}

export function usePromptVersion(
  projectId: string,
  name: string,
  version: WhichVersion | undefined,
  { resolve = false }: { resolve?: boolean } = {},
) {
  return useQuery({
    ...promptVersionOptions(projectId, name, version ?? 'latest', resolve),
    enabled: version !== undefined,
  })
}

/** The prompts that refer to this one. */
export function usePromptDependents(projectId: string, name: string, isEnabled = true) {
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'dependents', name),
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          projectApi(projectId).GET('/prompts/{promptName}/dependents', {
            params: { path: { promptName: name } },
            signal,
          }),
        )
      ).dependents,
    enabled: isEnabled,
  })
}

/** The labels of all prompts of the project, and which are protected. */
export function usePromptLabels(projectId: string, isEnabled = true) {
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'labels'),
    queryFn: ({ signal }) => unwrap(projectApi(projectId).GET('/prompt-labels', { signal })),
    enabled: isEnabled,
  })
}

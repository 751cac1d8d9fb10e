import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import { readVersion } from '../model/readVersion'

type Schemas = UiComponents['schemas']
export type PromptVersionRow = Schemas['PromptVersionRow']
export type PromptVersionsPage = Schemas['PromptVersions']
export type PromptDependent = Schemas['PromptDependent']

const pageSize = 100

/** Versions below a number and, on pages above the first one that was asked for, from another on. */
type Page = { below?: number; from?: number }

/**
 * The versions of a prompt without their content, newest first, page by page, with what belongs to the name: tags, labels
 * and which of them are protected. Far below the newest, the list can begin below a number; then there are pages above it.
 */
export function usePromptVersions(projectId: string, name: string, search = '', below?: number) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'prompts', 'versions', name, search, below),
    initialPageParam: { below } as Page,
    queryFn: async ({ pageParam, signal }) => {
      const page = await unwrap(
        projectApi(projectId).GET('/prompts/{promptName}/versions', {
          params: {
            path: { promptName: name },
            query: {
              cursor: pageParam.below === undefined ? undefined : String(pageParam.below),
              search: search || undefined,
              limit: pageSize,
            },
          },
          signal,
        }),
      )
      const { from = 0 } = pageParam
      return { ...page, versions: page.versions.filter(({ version }) => version >= from) }
    },
    getNextPageParam: (last, _, { from }): Page | undefined => {
      if (from !== undefined) return { below: from }
      return last.cursor === null ? undefined : { below: Number(last.cursor) }
    },
    // By numbers, since deleted versions leave gaps: the page may have fewer rows, and even none.
    getPreviousPageParam: (first, _, { below: end }): Page | undefined =>
      end === undefined || end > first.newest ? undefined : { below: end + pageSize, from: end },
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

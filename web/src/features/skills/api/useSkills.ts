import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type PublicComponents } from '@/shared/api'
import { newFile, sortedFiles, type SkillFile, type SkillRequest } from '../model/files'

export type SkillSummary = PublicComponents['schemas']['SkillSummary']

const key = (projectId: string, ...rest: unknown[]) =>
  projectKey(projectId, 'prompts', 'skills', ...rest)

/** The skills of the project by name, page by page. */
export function useSkills(projectId: string, search: string) {
  return useInfiniteQuery({
    queryKey: key(projectId, 'list', search),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/unstable/skills', {
          params: { query: { page: pageParam, limit: 100, search: search || undefined } },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => (meta.hasNextPage ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

/** The versions of a skill, newest first, page by page. */
export function useSkillVersions(projectId: string, skillName: string) {
  return useInfiniteQuery({
    queryKey: key(projectId, 'versions', skillName),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/skills/{skillName}/versions', {
          params: { path: { skillName }, query: { limit: 100, cursor: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
}

/** A version with the list of its files. */
export function useSkill(projectId: string, skillName: string, version: number | undefined) {
  return useQuery({
    queryKey: key(projectId, 'version', skillName, version),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/unstable/skills/{skillName}', {
          params: {
            path: { skillName },
            query: version === undefined ? { label: 'latest' } : { version },
          },
          signal,
        }),
      ),
  })
}

async function fetchContents(projectId: string, hashes: readonly string[], signal: AbortSignal) {
  const contents = new Map<string, string>()
  const wanted = [...new Set(hashes)]
  for (let at = 0; at < wanted.length; at += mostHashes) {
    const { data } = await unwrap(
      projectApi(projectId).GET('/unstable/skills/files/content', {
        params: { query: { sha256Hashes: wanted.slice(at, at + mostHashes).join(',') } },
        signal,
      }),
    )
    for (const { sha256Hash, content } of data) contents.set(sha256Hash, content)
  }
  return contents
}

const mostHashes = 50

/** The content of a file. It is named by its hash, so it never changes. */
export function useFileContent(projectId: string, hash: string) {
  return useQuery({
    queryKey: key(projectId, 'content', hash),
    queryFn: async ({ signal }) => {
      const contents = await fetchContents(projectId, [hash], signal)
      return contents.get(hash) ?? ''
    },
    staleTime: Infinity,
  })
}

/** All files of a version, to be edited. */
export function useFilesToEdit(projectId: string, files: readonly SkillFile[]) {
  const hashes = files.map(({ sha256Hash }) => sha256Hash)
  return useQuery({
    queryKey: key(projectId, 'contents', hashes),
    queryFn: async ({ signal }) => {
      const contents = await fetchContents(projectId, hashes, signal)
      return sortedFiles(files).map(({ path, sha256Hash }) =>
        newFile(path, contents.get(sha256Hash) ?? '', sha256Hash),
      )
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function useSaveSkill(projectId: string) {
  return useChange([key(projectId)], (body: SkillRequest) =>
    unwrap(projectApi(projectId).POST('/unstable/skills', { body })),
  )
}

export function useSetSkillLabels(projectId: string, skillName: string, skillVersion: number) {
  return useChange([key(projectId)], (labels: string[]) =>
    unwrap(
      projectApi(projectId).PATCH('/unstable/skills/{skillName}/versions/{skillVersion}', {
        params: { path: { skillName, skillVersion } },
        body: { labels },
      }),
    ),
  )
}

import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Order, Selection } from '../model/browse'

const pageSize = 100

/** A page of the list after another. The previous rows stay until the new ones arrive. */
export function usePrompts(projectId: string, selection: Selection, order: Order | undefined) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'prompts', 'list', selection, order),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/prompts', {
          body: { ...selection, ...(order && { sort: order }), cursor: pageParam, limit: pageSize },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

/** How often the prompts of each page were used in seven days. The rows do not wait for it. */
export function usePromptUses(
  projectId: string,
  pages: readonly (readonly string[])[],
  isAllowed: boolean,
): { uses: ReadonlyMap<string, number>; since: string | undefined } {
  return useQueries({
    queries: pages
      .filter((names) => isAllowed && names.length > 0)
      .map((names) => ({
        queryKey: projectKey(projectId, 'metrics', 'prompt-uses', names),
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const body = { names: [...names] }
          const found = await unwrap(
            projectApi(projectId).POST('/query/prompt-uses', { body, signal }),
          )
          return { ...found, names }
        },
        staleTime: 60_000,
      })),
    combine: (results) => ({
      since: results[0]?.data?.since,
      // Prompts without uses are absent from the response.
      uses: new Map(
        results.flatMap(({ data }) =>
          data
            ? data.names.map((name): [string, number] => [
                name,
                Object.hasOwn(data.uses, name) ? (data.uses[name] ?? 0) : 0,
              ])
            : [],
        ),
      ),
    }),
  })
}

/** The names of all prompts below a folder. Without a condition, the server lists one level only. */
export async function namesBelow(projectId: string, folder: string): Promise<string[]> {
  const names: string[] = []
  for (const type of ['text', 'chat'] as const) {
    let cursor: string | null = null
    do {
      const page: { prompts: { name: string }[]; cursor: string | null } = await unwrap(
        projectApi(projectId).POST('/query/prompts', {
          body: { folder, in: 'name', type, limit: pageSize, cursor },
        }),
      )
      names.push(...page.prompts.map(({ name }) => name))
      cursor = page.cursor
    } while (cursor !== null)
  }
  return names.toSorted()
}

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'

type Schemas = UiComponents['schemas']
export type Comparison = Schemas['Comparison']
export type ComparedMeasure = Schemas['ComparedMeasure']
export type ComparedRun = Schemas['ComparedRun']
export type ComparedItem = Schemas['ComparedItem']
export type ComparedCell = Schemas['ComparedCell']
export type CellText = Schemas['CellText']
export type Difference = Schemas['MeasuredDifference']
export type LabelChanges = Schemas['LabelChanges']
/** Which experiments are compared, and how. */
export type Compared = Schemas['ComparedExperiments']
/** Which of their items, in which order. */
export type ItemsQuery = Omit<Schemas['ComparedItemsQuery'], 'cursor' | 'limit'>

/** How experiments differ from the baseline, measure by measure. */
export function useComparison(projectId: string, compared: Compared, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'experiments', 'comparison', compared),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(projectApi(projectId).POST('/experiments/compare', { body: compared, signal })),
  })
}

/** The items side by side, page by page. */
export function useComparedItems(projectId: string, items: ItemsQuery, isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'experiments', 'items', items),
    enabled: isEnabled,
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) => loadItems(projectId, items, pageParam, 50, signal),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
}

/** All items, for a file. */
export async function loadAllItems(projectId: string, items: ItemsQuery): Promise<ComparedItem[]> {
  const rows: ComparedItem[] = []
  let cursor: string | undefined
  do {
    // Each page starts where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await loadItems(projectId, items, cursor, 100)
    rows.push(...page.rows)
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

function loadItems(
  projectId: string,
  items: ItemsQuery,
  cursor: string | undefined,
  limit: number,
  signal?: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/experiments/compare/items', {
      body: { ...items, limit, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  )
}

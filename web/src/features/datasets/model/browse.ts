import type { UiComponents } from '@/shared/api'
import type { TableState } from '@/shared/table'

export type DatasetHead = UiComponents['schemas']['DatasetHead']
export type DatasetFolder = UiComponents['schemas']['DatasetFolder']
type Query = UiComponents['schemas']['DatasetsQuery']

/** What the list shows, apart from its order. */
export type Selection = Pick<Query, 'folder' | 'search'>
export type Order = NonNullable<Query['sort']>

/** The search parameters of the list. */
export const listSearchNames = ['folder', 'search'] as const

export function selectionOf(search: { folder?: string; search?: string }): Selection {
  const given = (text: string | undefined) => (text === '' ? undefined : text)
  return {
    folder: given((search.folder ?? '').replaceAll(/^\/+|\/+$/g, '')),
    search: given(search.search?.trim()),
  }
}

const columns: Record<string, Order['by']> = {
  name: 'name',
  items: 'items',
  created: 'createdAt',
  updated: 'updatedAt',
}

export function orderOf({ sort }: TableState): Order | undefined {
  const by = sort && Object.hasOwn(columns, sort.column) ? columns[sort.column] : undefined
  return sort && by && { by, direction: sort.direction }
}

export type Row =
  | { kind: 'folder'; id: string; name: string; folder: DatasetFolder }
  | { kind: 'dataset'; id: string; name: string; dataset: DatasetHead }

/** Folders, then datasets. */
export function rowsOf(folders: readonly DatasetFolder[], datasets: readonly DatasetHead[]): Row[] {
  return [
    ...folders.map((folder): Row => {
      return { kind: 'folder', id: `folder ${folder.name}`, name: folder.name, folder }
    }),
    ...datasets.map((dataset): Row => {
      return { kind: 'dataset', id: `dataset ${dataset.id}`, name: dataset.name, dataset }
    }),
  ]
}

/** How many datasets there are, those in folders included. */
export function totalOf(page: { total: number; folders: readonly DatasetFolder[] }): number {
  return page.folders.reduce((sum, folder) => sum + folder.datasets, page.total)
}

/** Which values of its items a dataset checks. */
export function schemaText(dataset: DatasetHead): string {
  const checked = [
    dataset.hasInputSchema && 'Input',
    dataset.hasExpectedOutputSchema && 'Expected output',
  ].filter((each) => each !== false)
  return checked.join(', ')
}

import type { UiComponents } from '@/shared/api'
import type { TableState } from '@/shared/table'

export type PromptHead = UiComponents['schemas']['PromptHead']
export type PromptFolder = UiComponents['schemas']['PromptFolder']
type Query = UiComponents['schemas']['PromptsQuery']

/** What the list shows, apart from its order. */
export type Selection = Pick<Query, 'folder' | 'search' | 'type' | 'label' | 'tag'> & {
  in: 'name' | 'content'
}

export type Order = NonNullable<Query['sort']>

/** The search parameters of the list. */
export const listSearchNames = [
  'folder',
  'search',
  'searchType',
  'type',
  'label',
  'tag',
  'dialog',
] as const

export type ListSearch = { [name in (typeof listSearchNames)[number]]?: string }

export function selectionOf(search: ListSearch): Selection {
  const given = (text: string | undefined) => (text === '' ? undefined : text)
  const { type } = search
  return {
    folder: given(trimSlashes(search.folder ?? '')),
    search: given(search.search?.trim()),
    // The other program that has this address names what is searched: "id" for names, "content" for the text.
    in: search.searchType === 'content' ? 'content' : 'name',
    type: type === 'text' || type === 'chat' ? type : undefined,
    label: given(search.label),
    tag: given(search.tag),
  }
}

/** Whether something is looked for: the list then has prompts from all folders below. */
export function isFiltered({ search, type, label, tag }: Selection): boolean {
  return [search, type, label, tag].some((each) => each !== undefined)
}

export function orderOf({ sort }: TableState): Order | undefined {
  if (sort?.column === 'name') return { by: 'name', direction: sort.direction }
  if (sort?.column === 'latest') return { by: 'createdAt', direction: sort.direction }
  return undefined
}

export type Row =
  | { kind: 'folder'; id: string; name: string; folder: PromptFolder }
  | { kind: 'prompt'; id: string; name: string; prompt: PromptHead }

/** Folders, then prompts. */
export function rowsOf(folders: readonly PromptFolder[], prompts: readonly PromptHead[]): Row[] {
  return [
    ...folders.map((folder): Row => {
      return { kind: 'folder', id: `folder ${folder.name}`, name: folder.name, folder }
    }),
    ...prompts.map((prompt): Row => {
      return { kind: 'prompt', id: `prompt ${prompt.name}`, name: prompt.name, prompt }
    }),
  ]
}

/** How many prompts there are, those in folders included. */
export function totalOf({
  total,
  folders,
}: {
  total: number
  folders: readonly PromptFolder[]
}): number {
  return folders.reduce((sum, folder) => sum + folder.prompts, total)
}

function trimSlashes(text: string): string {
  return text.replaceAll(/^\/+|\/+$/g, '')
}

import type { UiComponents } from '@/shared/api'

export type ItemPreview = UiComponents['schemas']['DatasetItemPreview']
export type ItemDetails = UiComponents['schemas']['DatasetItemDetails']
type Change = UiComponents['schemas']['DatasetItemChange']
type Query = UiComponents['schemas']['DatasetItemsQuery']

/** Which items are shown. */
export type ItemSelection = Pick<Query, 'search' | 'status' | 'version'>

/** The search parameters of the items. */
export const itemSearchNames = ['search', 'status', 'asOf'] as const

export const shownStatuses = [
  { id: 'active', label: 'Active' },
  { id: 'archived', label: 'Archived' },
  { id: 'all', label: 'All' },
] as const

export type ShownStatus = (typeof shownStatuses)[number]['id']

export function statusIn(text: string | undefined): ShownStatus {
  return text === 'archived' || text === 'all' ? text : 'active'
}

/** The time of the version that the address asks for, if it is one. */
export function asOfIn(text: string | undefined): string | undefined {
  const at = new Date(text ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

type ItemSearch = { search?: string; status?: string; asOf?: string }

export function itemSelectionOf(search: ItemSearch): ItemSelection {
  const text = search.search?.trim()
  const status = statusIn(search.status)
  return {
    search: text === '' ? undefined : text,
    version: asOfIn(search.asOf),
    status: status === 'all' ? undefined : status === 'archived' ? 'ARCHIVED' : 'ACTIVE',
  }
}

/** The values of an item as they are edited: JSON texts, blank for none. */
export type ItemDraft = { input: string; expectedOutput: string; metadata: string }

export const newItem: ItemDraft = { input: '', expectedOutput: '', metadata: '' }

export function itemDraft(item: ItemDetails, pretty: (json: string) => string): ItemDraft {
  const json = (text: string | null) => (text === null ? '' : pretty(text))
  return {
    input: json(item.input),
    expectedOutput: json(item.expectedOutput),
    metadata: json(item.metadata),
  }
}

/** What is sent for a draft: a new item, or what differs from the version that was opened. */
export function itemChange(draft: ItemDraft, initial: ItemDraft, opened?: ItemDetails): Change {
  const fields = (Object.keys(draft) as (keyof ItemDraft)[]).filter(
    (field) => draft[field] !== initial[field],
  )
  return {
    ...(opened && { id: opened.id, base: opened.updatedAt }),
    ...Object.fromEntries(fields.map((field) => [field, draft[field]])),
  }
}

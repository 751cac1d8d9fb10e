import type { UiComponents } from '@/shared/api'
import type { Problems } from '@/shared/forms'

export type DatasetDetails = UiComponents['schemas']['DatasetDetails']
type Change = UiComponents['schemas']['DatasetChange']

/** The fields of a dataset as they are edited; values and schemas are JSON texts, blank for none. */
export type DatasetDraft = {
  name: string
  description: string
  metadata: string
  inputSchema: string
  expectedOutputSchema: string
}

export function newDraft(folder: string | undefined): DatasetDraft {
  return {
    name: folder === undefined ? '' : `${folder}/`,
    description: '',
    metadata: '',
    inputSchema: '',
    expectedOutputSchema: '',
  }
}

/** The draft of a dataset; pretty makes JSON readable. */
export function draftOf(dataset: DatasetDetails, pretty: (json: string) => string): DatasetDraft {
  const json = (text: string | null) => (text === null ? '' : pretty(text))
  return {
    name: dataset.name,
    description: dataset.description ?? '',
    metadata: json(dataset.metadata),
    inputSchema: json(dataset.inputSchema),
    expectedOutputSchema: json(dataset.expectedOutputSchema),
  }
}

export function draftProblems({ name }: DatasetDraft): Problems<DatasetDraft> {
  const text = name.trim()
  if (text === '') return { name: 'A dataset needs a name' }
  if (text.startsWith('/') || text.endsWith('/'))
    return { name: 'A name neither begins nor ends with a slash' }
  if (text.includes('//')) return { name: 'A name has no two slashes in a row' }
  return {}
}

/** The fields that differ from what is saved. */
export function changeOf(draft: DatasetDraft, saved: DatasetDraft): Change {
  return Object.fromEntries(
    (Object.keys(draft) as (keyof DatasetDraft)[])
      .filter((field) => draft[field] !== saved[field])
      .map((field) => [field, draft[field]]),
  )
}

import type { UiComponents } from '@/shared/api'

type Schemas = UiComponents['schemas']

export type QueueHead = Schemas['QueueHead']
export type QueueItem = Schemas['QueueItem']
export type ObjectType = QueueItem['objectType']
export type QueueDetails = Schemas['QueueDetails']

/** The search parameters of the list of queues. */
export const queuesSearchNames = ['search'] as const

/** The search parameters of the items of a queue. */
export const queueSearchNames = ['search', 'status'] as const

/** The search parameter of the page that looks for the next item. */
export const nextSearchNames = ['skipped'] as const

export const objectTypes: readonly { id: ObjectType; label: string }[] = [
  { id: 'TRACE', label: 'Trace' },
  { id: 'OBSERVATION', label: 'Observation' },
  { id: 'SESSION', label: 'Session' },
]

export function objectLabel(type: ObjectType): string {
  return objectTypes.find(({ id }) => id === type)?.label ?? type
}

export type ShownStatus = 'all' | 'pending' | 'completed'

export const shownStatuses: readonly { id: ShownStatus; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'pending', label: 'Pending' },
  { id: 'completed', label: 'Completed' },
]

export function statusIn(text: string | undefined): ShownStatus {
  return shownStatuses.find(({ id }) => id === text)?.id ?? 'all'
}

export type ItemSelection = Pick<Schemas['QueueItemsQuery'], 'search' | 'status'>

export function itemSelectionOf(search: { search?: string; status?: string }): ItemSelection {
  const status = statusIn(search.status)
  const text = search.search?.trim()
  return {
    ...(text && { search: text }),
    ...(status !== 'all' && { status: status === 'pending' ? 'PENDING' : 'COMPLETED' }),
  }
}

/** How far a queue is, as in "12 of 50". */
export function progressText({ pending, completed }: { pending: number; completed: number }) {
  return `${completed} of ${pending + completed}`
}

/** What the form of a queue asks for. */
export type QueueDraft = { name: string; description: string; scoreConfigIds: string[] }

export function queueDraft(queue: QueueDetails | undefined): QueueDraft {
  return {
    name: queue?.name ?? '',
    description: queue?.description ?? '',
    scoreConfigIds: queue?.scoreConfigIds ?? [],
  }
}

export function queueProblems({ name, scoreConfigIds }: QueueDraft) {
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(scoreConfigIds.length === 0 && { scoreConfigIds: 'Choose at least one score config.' }),
  }
}

/** The chosen ids: those that were chosen before keep their order, and new ones follow. */
export function inOrder(before: readonly string[], chosen: readonly string[]): string[] {
  return [
    ...before.filter((id) => chosen.includes(id)),
    ...chosen.filter((id) => !before.includes(id)),
  ]
}

/** The most ids that are added at once. */
export const mostAdded = 100

/** The ids in a text, one per line or separated by commas, each once. */
export function idsIn(text: string): string[] {
  const ids = text.split(/[\n,]/).map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ''))]
}

export function idsProblem(text: string): string | undefined {
  const { length } = idsIn(text)
  if (length === 0) return 'Enter at least one id.'
  return length > mostAdded ? `At most ${mostAdded} ids at once; these are ${length}.` : undefined
}

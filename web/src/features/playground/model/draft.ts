import { readTabState, writeTabState } from '@/shared/lib/tabState'
import { isState } from './isState'
import type { State } from './state'

/** What is on the page, as the tab keeps it over a reload. */
export type Draft = {
  state: State
  /** The saved playground that it comes from, and when that was saved. */
  saved?: { id: string; name: string; updatedAt: string; text: string }
}

export function readDraft(userId: string, projectId: string): Draft | undefined {
  const kept = readTabState<Draft>(`playground ${projectId}`, userId)
  return kept && isState(kept.state) ? kept : undefined
}

/** Reports whether there was room for it. */
export function writeDraft(userId: string, projectId: string, draft: Draft): boolean {
  return writeTabState(`playground ${projectId}`, userId, draft)
}

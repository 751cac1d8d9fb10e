import type { Tone } from '@/shared/ui'
import type { BlobStorage } from '../api/useBlobStorage'

const states: Record<BlobStorage['syncStatus'], { label: string; tone: Tone }> = {
  disabled: { label: 'Not enabled', tone: 'neutral' },
  error: { label: 'Failed', tone: 'danger' },
  running: { label: 'Running', tone: 'accent' },
  queued: { label: 'About to run', tone: 'accent' },
  idle: { label: 'Never run', tone: 'neutral' },
  up_to_date: { label: 'Up to date', tone: 'success' },
}

type Described = Pick<
  BlobStorage,
  'syncStatus' | 'enabled' | 'progress' | 'nextSyncAt' | 'lastError'
>

/**
 * The status as people see it. The public API defines the statuses by their first matching condition: it reports an
 * error while the next attempt runs, and an export that was saved and runs at once as idle.
 */
export function describeStatus(stored: Described): { label: string; tone: Tone } {
  if (!stored.enabled && stored.lastError !== null)
    return { label: 'Failed, not enabled', tone: 'danger' }
  return states[currentStatus(stored)]
}

/** Whether the status will change within seconds. */
export function isBusy(stored: Described): boolean {
  const status = currentStatus(stored)
  return status === 'running' || status === 'queued'
}

function currentStatus(stored: Described): BlobStorage['syncStatus'] {
  if (stored.enabled && stored.progress !== null) return 'running'
  if (stored.syncStatus === 'idle' && stored.nextSyncAt === null) return 'queued'
  return stored.syncStatus
}

/** What a failure means for future exports. */
export function failureTitle(stored: Pick<BlobStorage, 'enabled' | 'progress'>): string {
  if (!stored.enabled) return 'The last run failed: correct the settings and enable the export'
  return stored.progress === null
    ? 'The last run failed and will be retried'
    : 'The last run failed; this one is the next attempt'
}

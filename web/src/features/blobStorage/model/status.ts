import type { Tone } from '@/ui'
import type { BlobStorage } from '../api/useBlobStorage'

const states: Record<BlobStorage['syncStatus'], { label: string; tone: Tone }> = {
  disabled: { label: 'Not enabled', tone: 'neutral' },
  error: { label: 'Failed', tone: 'danger' },
  running: { label: 'Running', tone: 'accent' },
  queued: { label: 'About to run', tone: 'accent' },
  idle: { label: 'Never run', tone: 'neutral' },
  up_to_date: { label: 'Up to date', tone: 'success' },
}

export function describeStatus(status: BlobStorage['syncStatus']): { label: string; tone: Tone } {
  return states[status]
}

/** What a failure means for future exports. */
export function failureTitle(stored: Pick<BlobStorage, 'enabled'>): string {
  return stored.enabled
    ? 'The last run failed and will be retried'
    : 'The export failed and was disabled: correct the settings and enable it again'
}

import type { Job } from '../api/useJobs'

type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

const states: Record<Job['state'], { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  waiting: { label: 'Scheduled', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
  done: { label: 'Done', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export function describeState({ kind, state }: Pick<Job, 'kind' | 'state'>): {
  label: string
  tone: Tone
} {
  // An experiment waits for the person who has paused it.
  if (kind === 'experiment' && state === 'waiting') return { label: 'Paused', tone: 'warning' }
  return states[state]
}

/** Whether a server works on it, or will soon. */
export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Whether it can be run again, or now instead of later. */
export function canRetry({ kind, state, dueAt }: Pick<Job, 'kind' | 'state' | 'dueAt'>): boolean {
  if (kind === 'experiment') return state === 'failed' || state === 'waiting'
  if (kind === 'export') return state === 'failed' || state === 'cancelled'
  return dueAt !== null && (state === 'failed' || state === 'waiting')
}

/** What it does. */
export function describeJob({ kind, subject }: Pick<Job, 'kind' | 'subject'>): string {
  switch (kind) {
    case 'experiment':
      return `Experiment ${subject}`
    case 'export':
      return `Export of ${subject.replaceAll('_', ' ')}`
    case 'scheduled-export':
      return `Scheduled export to ${subject}`
  }
}

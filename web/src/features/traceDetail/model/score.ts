import type { Score } from '@/shared/scoring'

export type ScoreSubject = { traceId: string; observationId: string | undefined }

/** Whether a score belongs to the observation or, without one, to the trace itself. */
export function isAbout(score: Score, { traceId, observationId }: ScoreSubject): boolean {
  const { subject } = score
  if (!subject) return false
  return observationId === undefined
    ? subject.kind === 'trace' && subject.id === traceId
    : subject.kind === 'observation' && subject.id === observationId
}

import { linkOptions } from '@tanstack/react-router'
import { scoreText, type Score } from '@/shared/scoring'

type Subject = NonNullable<Score['subject']>

/** A score that can be analysed: its name and type. */
export type ScoreKind = { name: string; dataType: AnalysedType }

export const analysedTypes = ['NUMERIC', 'BOOLEAN', 'CATEGORICAL'] as const
export type AnalysedType = (typeof analysedTypes)[number]

/** As written in the URL: NUMERIC:quality. */
export function encodeKind({ name, dataType }: ScoreKind): string {
  return `${dataType}:${name}`
}

export function decodeKind(text: string | undefined): ScoreKind | undefined {
  const at = (text ?? '').indexOf(':')
  if (text === undefined || at < 0) return undefined
  const dataType = analysedTypes.find((each) => each === text.slice(0, at))
  const name = text.slice(at + 1)
  return dataType === undefined || name === '' ? undefined : { name, dataType }
}

/** What was scored. */
export type Level = Subject['kind']

export const levels: readonly { id: Level | 'all'; label: string }[] = [
  { id: 'all', label: 'Everything' },
  { id: 'trace', label: 'Traces' },
  { id: 'observation', label: 'Observations' },
  { id: 'session', label: 'Sessions' },
  { id: 'experiment', label: 'Experiments' },
]

/** A score as input to the statistics. Booleans are the categories Yes and No. */
export type Point = { id: string; at: number; value: number | string; subject: Subject | undefined }

export function toPoints(scores: readonly Score[], level: Level | 'all'): Point[] {
  return scores
    .filter(({ subject }) => level === 'all' || subject?.kind === level)
    .map((score) => ({
      id: score.id,
      at: Date.parse(score.timestamp),
      value: typeof score.value === 'number' ? score.value : scoreText(score),
      subject: score.subject,
    }))
}

export type PointPair = { subject: Subject; first: Point; second: Point }

/** Whether two scores are paired by the same object, or by anything in the same trace. */
export type Pairing = 'subject' | 'trace'

/**
 * Pairs two scores of the same object. If no object has both, as when one scores traces and the other their
 * observations, pairs scores of the same trace. Of several scores, which come newest first, the newest is taken.
 */
export function pairPoints(
  first: readonly Point[],
  second: readonly Point[],
): { pairs: PointPair[]; by: Pairing } {
  const pairs = pairBy(first, second, subjectKey)
  if (pairs.length > 0) return { pairs, by: 'subject' }
  const byTrace = pairBy(first, second, traceKey)
  return byTrace.length > 0 ? { pairs: byTrace, by: 'trace' } : { pairs, by: 'subject' }
}

function pairBy(
  first: readonly Point[],
  second: readonly Point[],
  keyOf: (subject: Subject) => string | undefined,
): PointPair[] {
  const others = new Map<string, Point>()
  for (const point of second) {
    const key = point.subject && keyOf(point.subject)
    if (key !== undefined && !others.has(key)) others.set(key, point)
  }
  const pairs: PointPair[] = []
  for (const point of first) {
    const key = point.subject && keyOf(point.subject)
    const other = key === undefined ? undefined : others.get(key)
    if (key === undefined || !other || !point.subject) continue
    pairs.push({ subject: point.subject, first: point, second: other })
    others.delete(key)
  }
  return pairs
}

function subjectKey(subject: Subject): string {
  return JSON.stringify([subject.kind, subject.traceId ?? '', subject.id])
}

function traceKey({ kind, id, traceId }: Subject): string | undefined {
  if (kind === 'trace') return id
  return kind === 'observation' ? traceId : undefined
}

/** The page of the scored object. */
export function subjectPage(projectId: string, subject: Subject | undefined) {
  if (!subject) return undefined
  const { id, traceId } = subject
  switch (subject.kind) {
    case 'trace':
      return linkOptions({
        to: '/project/$projectId/traces/$traceId',
        params: { projectId, traceId: id },
      })
    case 'observation':
      return traceId === undefined
        ? undefined
        : linkOptions({
            to: '/project/$projectId/traces/$traceId',
            params: { projectId, traceId },
            search: { observation: id },
          })
    case 'session':
      return linkOptions({
        to: '/project/$projectId/sessions/$sessionId',
        params: { projectId, sessionId: id },
      })
    case 'experiment':
      return linkOptions({
        to: '/project/$projectId/experiments/results',
        params: { projectId },
        search: { baseline: id },
      })
  }
}

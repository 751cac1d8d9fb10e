import type { NewScore, Score } from '../api/useScores'
import type { PublicComponents } from '@/api'

export type ScoreConfig = PublicComponents['schemas']['ScoreConfig']

/** The form of a score. The value is text until it is sent. */
export type ScoreValues = { configId: string; value: string; comment: string }

export type ScoreSubject = { traceId: string; observationId: string | undefined }

/** Whether a score is about the observation; without one, about the trace itself. */
export function isAbout(score: Score, { traceId, observationId }: ScoreSubject): boolean {
  const { subject } = score
  if (!subject) return false
  return observationId === undefined
    ? subject.kind === 'trace' && subject.id === traceId
    : subject.kind === 'observation' && subject.id === observationId
}

/** The form with what a score says now. */
export function toScoreValues(score: Score): ScoreValues {
  const { value } = score
  return {
    configId: score.configId ?? '',
    value: typeof value === 'boolean' ? (value ? '1' : '0') : String(value),
    comment: score.comment ?? '',
  }
}

/** What is wrong with the form, by field. */
export function scoreProblems(
  values: ScoreValues,
  config: ScoreConfig | undefined,
): { configId?: string; value?: string } {
  if (!config) return { configId: 'Choose what you score.' }
  if (values.value.trim() === '') return { value: 'Give a value.' }
  if (config.dataType === 'NUMERIC') {
    const number = Number(values.value)
    if (!Number.isFinite(number)) return { value: 'That is no number.' }
    if (config.minValue !== null && number < config.minValue)
      return { value: `At least ${config.minValue}.` }
    if (config.maxValue !== null && number > config.maxValue)
      return { value: `At most ${config.maxValue}.` }
  }
  if (config.dataType === 'TEXT' && values.value.length > 500)
    return { value: 'At most 500 characters.' }
  return {}
}

/** The request that stores the form, as an annotation. */
export function scoreRequest(
  values: ScoreValues,
  config: ScoreConfig,
  subject: ScoreSubject,
  id?: string,
): NewScore {
  const isNumber = config.dataType === 'NUMERIC' || config.dataType === 'BOOLEAN'
  return {
    id,
    name: config.name,
    value: isNumber ? Number(values.value) : values.value,
    dataType: config.dataType,
    traceId: subject.traceId,
    observationId: subject.observationId,
    comment: values.comment.trim() === '' ? null : values.comment.trim(),
    configId: config.id,
    source: 'ANNOTATION',
    environment: 'default',
  }
}

/** A score in a word: 0.9, good, yes. */
export function scoreText({ value }: Score): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

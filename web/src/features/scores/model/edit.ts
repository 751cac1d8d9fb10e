import type { PublicComponents } from '@/api'
import type { Score } from './points'

type NewScore = PublicComponents['schemas']['NewScore']

/** The form of a score. The value is text until it is sent. */
export type ScoreValues = { value: string; comment: string }

const longestText = 500

/** Scores of evaluators are theirs: a person adds another one instead. */
export function mayEdit({ source }: Score): boolean {
  return source === 'API' || source === 'ANNOTATION'
}

export function toValues({ value, comment }: Score): ScoreValues {
  return {
    value: typeof value === 'boolean' ? (value ? '1' : '0') : String(value),
    comment: comment ?? '',
  }
}

/** What is wrong with the form. The server knows the rules of configs. */
export function valueProblem(dataType: Score['dataType'], value: string): string | undefined {
  if (value.trim() === '') return 'Give a value.'
  if (dataType === 'NUMERIC' && !Number.isFinite(Number(value))) return 'That is no number.'
  if (dataType === 'TEXT' && value.length > longestText) return `At most ${longestText} characters.`
  return undefined
}

/** The request that changes a score and leaves everything else of it as it is. */
export function editRequest(score: Score, values: ScoreValues): NewScore {
  const { subject } = score
  const isNumber = score.dataType === 'NUMERIC' || score.dataType === 'BOOLEAN'
  return {
    id: score.id,
    name: score.name,
    value: isNumber ? Number(values.value) : values.value,
    dataType: score.dataType,
    source: score.source === 'ANNOTATION' ? 'ANNOTATION' : 'API',
    comment: values.comment.trim() === '' ? null : values.comment.trim(),
    environment: score.environment,
    ...(score.configId && { configId: score.configId }),
    ...(score.queueId && { queueId: score.queueId }),
    ...(subject?.kind === 'trace' && { traceId: subject.id }),
    ...(subject?.kind === 'observation' && { traceId: subject.traceId, observationId: subject.id }),
    ...(subject?.kind === 'session' && { sessionId: subject.id }),
    ...(subject?.kind === 'experiment' && { datasetRunId: subject.id }),
  }
}

import type { PublicComponents } from '@/shared/api'

export type Score = PublicComponents['schemas']['ScoreV3']
export type NewScore = PublicComponents['schemas']['NewScore']
export type ScoreConfig = PublicComponents['schemas']['ScoreConfig']
export type NewScoreConfig = PublicComponents['schemas']['NewScoreConfig']
export type ScoreConfigChange = PublicComponents['schemas']['ScoreConfigChange']

/** The object of a score: a trace, an observation of it, or a session. */
export type ScoreSubject =
  { traceId: string; observationId: string | undefined } | { sessionId: string }

/** What a new score is about, and its environment: without that, the score would be in another one. */
export type Scored = ScoreSubject & { environment: string }

export const sources = [
  { id: 'ANNOTATION', label: 'Human' },
  { id: 'EVAL', label: 'By an evaluator' },
  { id: 'API', label: 'API' },
] as const

export const dataTypes = [
  { id: 'NUMERIC', label: 'Number' },
  { id: 'BOOLEAN', label: 'Yes or no' },
  { id: 'CATEGORICAL', label: 'Category' },
  { id: 'TEXT', label: 'Text' },
  { id: 'CORRECTION', label: 'Correction' },
] as const

export type DataType = (typeof dataTypes)[number]['id']

export function sourceLabel(source: string): string {
  return sources.find(({ id }) => id === source)?.label ?? source
}

/** Chosen instead of a config: the user names the score. */
export const withoutConfig = 'without'

/** The values of the score form. The value is text until it is sent; name and type apply only without a config. */
export type ScoreValues = {
  configId: string
  name: string
  dataType: DataType
  value: string
  comment: string
}

const longestText = 500

/** Whether a person may edit the score. Scores of evaluators cannot be edited: people add another one instead. */
export function mayEdit({ source }: Pick<Score, 'source'>): boolean {
  return source === 'API' || source === 'ANNOTATION'
}

/** The value of a score as text: 0.9, friendly, Yes. */
export function scoreText({ value }: Pick<Score, 'value'>): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

/** The empty form. A single config is preselected. */
export function emptyValues(configs: readonly ScoreConfig[]): ScoreValues {
  const [first] = configs
  const configId = configs.length > 1 ? '' : (first?.id ?? withoutConfig)
  return { configId, name: '', dataType: 'NUMERIC', value: '', comment: '' }
}

/** The form filled with an existing score. */
export function toScoreValues(score: Score): ScoreValues {
  const { value } = score
  return {
    configId: score.configId ?? withoutConfig,
    name: score.name,
    dataType: score.dataType,
    value: typeof value === 'boolean' ? (value ? '1' : '0') : String(value),
    comment: score.comment ?? '',
  }
}

/** What is wrong with the form, by field. Rules of a config that is not known here are left to the server. */
export function scoreProblems(
  { configId, name, dataType, value }: ScoreValues,
  config: ScoreConfig | undefined,
): { configId?: string; name?: string; value?: string } {
  if (configId === '') return { configId: 'Choose what you score.' }
  if (name.trim() === '' && !config) return { name: 'Enter a name.' }
  if (value.trim() === '') return { value: 'Enter a value.' }
  const type = config?.dataType ?? dataType
  if (type === 'NUMERIC') {
    const number = Number(value)
    if (!Number.isFinite(number)) return { value: 'Enter a number.' }
    if (config && config.minValue !== null && number < config.minValue)
      return { value: `At least ${config.minValue}.` }
    if (config && config.maxValue !== null && number > config.maxValue)
      return { value: `At most ${config.maxValue}.` }
  }
  if (type === 'TEXT' && value.length > longestText)
    return { value: `At most ${longestText} characters.` }
  return {}
}

function given(dataType: DataType, { value, comment }: ScoreValues) {
  const isNumber = dataType === 'NUMERIC' || dataType === 'BOOLEAN'
  return {
    dataType,
    value: isNumber ? Number(value) : value,
    comment: comment.trim() === '' ? null : comment.trim(),
  }
}

/** The request that stores the form: as an annotation, which needs a config, or as a score from the API. */
export function newScore(
  values: ScoreValues,
  config: ScoreConfig | undefined,
  subject: Scored,
): NewScore {
  return {
    ...given(config?.dataType ?? values.dataType, values),
    ...(config
      ? { name: config.name, configId: config.id, source: 'ANNOTATION' as const }
      : { name: values.name.trim(), source: 'API' as const }),
    ...subject,
  }
}

/** The request that changes a score and keeps everything else about it. */
export function changedScore(score: Score, values: ScoreValues): NewScore {
  const { subject } = score
  return {
    ...given(score.dataType, values),
    id: score.id,
    name: score.name,
    source: score.source === 'ANNOTATION' ? 'ANNOTATION' : 'API',
    environment: score.environment,
    ...(score.configId && { configId: score.configId }),
    ...(score.queueId && { queueId: score.queueId }),
    ...(subject?.kind === 'trace' && { traceId: subject.id }),
    ...(subject?.kind === 'observation' && { traceId: subject.traceId, observationId: subject.id }),
    ...(subject?.kind === 'session' && { sessionId: subject.id }),
    ...(subject?.kind === 'experiment' && { datasetRunId: subject.id }),
  }
}

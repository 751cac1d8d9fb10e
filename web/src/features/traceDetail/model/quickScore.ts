import {
  newScore,
  scoreProblems,
  toScoreValues,
  type NewScore,
  type Score,
  type ScoreConfig,
  type ScoreValues,
} from '@/shared/scoring'
import { isAbout, type ScoreSubject } from './score'

/** A value that a key chooses, and how scores hold it. */
export type Choice = { value: string; label: string }

/** The values to choose from; none for numbers and texts, which are typed. */
export function choicesOf(config: ScoreConfig): Choice[] {
  switch (config.dataType) {
    case 'BOOLEAN':
      return [
        { value: '1', label: 'Yes' },
        { value: '0', label: 'No' },
      ]
    case 'CATEGORICAL':
      return (config.categories ?? []).map(({ label }) => ({ value: label, label }))
    default:
      return []
  }
}

/** The newest score that a person has given something by a config. */
export function ownScore(
  scores: readonly Score[],
  config: ScoreConfig,
  subject: ScoreSubject,
  userId: string,
): Score | undefined {
  return scores.find(
    (score) =>
      score.configId === config.id &&
      score.source === 'ANNOTATION' &&
      score.authorUserId === userId &&
      isAbout(score, subject),
  )
}

/** What was typed for a config and has not been sent. */
export type ScoreDraft = { value?: string; comment?: string }

/** What is shown of a config: what was typed, or else the score. */
export function shownValues(
  config: ScoreConfig,
  score: Score | undefined,
  draft: ScoreDraft,
): ScoreValues {
  const before = score
    ? toScoreValues(score)
    : { configId: config.id, name: '', dataType: config.dataType, value: '', comment: '' }
  return { ...before, configId: config.id, ...draft }
}

/** Why values cannot be sent; undefined if they can. */
export function problemOf(values: ScoreValues, config: ScoreConfig): string | undefined {
  return scoreProblems(values, config).value
}

/** The request that stores values under an id, and what the score will look like. */
export function toSend(
  id: string,
  values: ScoreValues,
  config: ScoreConfig,
  scored: ScoreSubject & { environment: string },
): NewScore {
  return { ...newScore(values, config, scored), id }
}

/** A score as it will be read once it is stored. */
export function asStored(
  sent: NewScore & { id: string },
  projectId: string,
  userId: string,
  subject: ScoreSubject,
  now: string,
): Score {
  const { id, name, configId = null, comment = null, environment = 'default' } = sent
  const common = { id, projectId, name, configId, comment, environment, authorUserId: userId }
  const times = { timestamp: now, createdAt: now, updatedAt: now }
  const { traceId, observationId } = subject
  const about =
    observationId === undefined
      ? ({ kind: 'trace', id: traceId } as const)
      : ({ kind: 'observation', id: observationId, traceId } as const)
  const rest = { ...common, ...times, source: 'ANNOTATION', subject: about } as const
  switch (sent.dataType) {
    case 'BOOLEAN':
      return { ...rest, dataType: 'BOOLEAN', value: Number(sent.value) === 1 }
    case 'NUMERIC':
      return { ...rest, dataType: 'NUMERIC', value: Number(sent.value) }
    case 'CATEGORICAL':
    case 'TEXT':
      return { ...rest, dataType: sent.dataType, value: String(sent.value) }
    default:
      return { ...rest, dataType: 'TEXT', value: String(sent.value) }
  }
}

/** What a key does while the scoring panel is open. */
export type ScoringAction =
  | { do: 'choose'; at: number }
  | { do: 'type'; text: string }
  | { do: 'config'; by: 1 | -1 }
  | { do: 'walk'; by: 1 | -1 }
  | { do: 'comment' }
  | { do: 'undo' }
  | { do: 'close' }

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The action of a key, with what kind of value is in focus and whether the focus is in the panel. */
export function scoringAction(
  pressed: Pressed,
  dataType: ScoreConfig['dataType'] | undefined,
  isInPane: boolean,
): ScoringAction | undefined {
  const { key } = pressed
  if (pressed.altKey) return undefined
  if (pressed.ctrlKey || pressed.metaKey)
    return key.toLowerCase() === 'z' && !pressed.shiftKey ? { do: 'undo' } : undefined
  if (dataType === 'NUMERIC' && /^[0-9.-]$/.test(key)) return { do: 'type', text: key }
  if (dataType !== undefined && /^[1-9]$/.test(key)) return { do: 'choose', at: Number(key) - 1 }
  switch (key) {
    case 'n':
      return { do: 'walk', by: 1 }
    case 'p':
      return { do: 'walk', by: -1 }
    case 'c':
      return { do: 'comment' }
    case 'u':
      return { do: 'undo' }
  }
  if (!isInPane) return undefined
  switch (key) {
    case 'ArrowDown':
      return { do: 'config', by: 1 }
    case 'ArrowUp':
      return { do: 'config', by: -1 }
    case 'Escape':
      return { do: 'close' }
    default:
      return undefined
  }
}

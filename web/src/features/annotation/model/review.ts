import type { UiComponents } from '@/shared/api'
import { choicesOf, problemOf, scoringAction, type ScoreDraft } from '@/features/traceDetail'
import type { ScoreConfig } from '@/shared/scoring'

type Schemas = UiComponents['schemas']

export type Review = Schemas['Review']
export type ReviewItem = Schemas['ReviewItem']
export type ItemReview = Schemas['ItemReview']

/** What a reviewer has entered: values and comments by score config, and a comment on the whole. */
export type ReviewDraft = { given: Record<string, Required<ScoreDraft>>; comment: string }

const nothing = { value: '', comment: '' }

/** What the reviewer said about an item before. */
export function draftOf(item: Pick<ReviewItem, 'scores' | 'comment'>): ReviewDraft {
  const given: ReviewDraft['given'] = {}
  for (const { configId, value, comment } of item.scores)
    given[configId] = { value: String(value), comment }
  return { given, comment: item.comment }
}

export function givenBy(draft: ReviewDraft, config: ScoreConfig): Required<ScoreDraft> {
  return (Object.hasOwn(draft.given, config.id) ? draft.given[config.id] : undefined) ?? nothing
}

/** The draft with something else given by a config. */
export function withGiven(draft: ReviewDraft, config: ScoreConfig, typed: ScoreDraft): ReviewDraft {
  return {
    ...draft,
    given: { ...draft.given, [config.id]: { ...givenBy(draft, config), ...typed } },
  }
}

/** Why what was given by a config cannot be stored; undefined if it can. */
export function givenProblem(draft: ReviewDraft, config: ScoreConfig): string | undefined {
  const { value, comment } = givenBy(draft, config)
  if (value.trim() === '')
    return comment.trim() === '' ? undefined : 'A comment on a score needs a value.'
  return problemOf(
    { configId: config.id, name: config.name, dataType: config.dataType, value, comment },
    config,
  )
}

/** The position of the first config whose value cannot be stored; undefined if there is none. */
export function firstProblem(
  draft: ReviewDraft,
  configs: readonly ScoreConfig[],
): number | undefined {
  const at = configs.findIndex((config) => givenProblem(draft, config) !== undefined)
  return at === -1 ? undefined : at
}

/** The configs without a value. */
export function missingIn(draft: ReviewDraft, configs: readonly ScoreConfig[]): ScoreConfig[] {
  return configs.filter((config) => givenBy(draft, config).value.trim() === '')
}

/** The question before an item is completed without all values. */
export function missingText(missing: readonly ScoreConfig[], of: number): string {
  const names = missing.map(({ name }) => name.slice(0, 100)).join(', ')
  const what =
    missing.length === of
      ? 'Nothing has a value yet'
      : `${missing.length === 1 ? 'One value is' : `${missing.length} values are`} missing: ${names}`
  return `${what}. Complete again to leave it like that.`
}

/** The request that stores a review. What has no value is taken back, if it had one. */
export function toReview(draft: ReviewDraft, configs: readonly ScoreConfig[]): ItemReview {
  return {
    scores: configs.map((config) => {
      const { value, comment } = givenBy(draft, config)
      if (value.trim() === '') return { configId: config.id, value: null }
      const isNumber = config.dataType === 'NUMERIC' || config.dataType === 'BOOLEAN'
      return {
        configId: config.id,
        value: isNumber ? Number(value) : value,
        comment: comment.trim(),
      }
    }),
    comment: draft.comment.trim(),
  }
}

/** The value that a digit chooses; undefined if there is none. */
export function choiceAt(config: ScoreConfig, at: number): string | undefined {
  return choicesOf(config)[at]?.value
}

/** What a key does while an item is reviewed. */
export type ReviewAction =
  | { do: 'choose'; at: number }
  | { do: 'type'; text: string }
  | { do: 'config'; by: 1 | -1 }
  | { do: 'comment' }
  | { do: 'complete' }
  | { do: 'skip' }
  | { do: 'back' }

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

type Where = {
  isTyping: boolean
  /** Whether the focus is on something that Enter presses or opens. */
  isOnControl: boolean
  isInForm: boolean
}

/** The action of a key, with what kind of value is in focus and where the focus is. */
export function reviewAction(
  pressed: Pressed,
  dataType: ScoreConfig['dataType'] | undefined,
  { isTyping, isOnControl, isInForm }: Where,
): ReviewAction | undefined {
  const { key } = pressed
  if (pressed.altKey) return undefined
  if (pressed.ctrlKey || pressed.metaKey) return key === 'Enter' ? { do: 'complete' } : undefined
  if (isTyping) return undefined
  if (key === 'Enter') return isOnControl ? undefined : { do: 'complete' }
  if (key === 's') return { do: 'skip' }
  if (key === 'u') return { do: 'back' }
  const action = scoringAction(pressed, dataType, isInForm)
  switch (action?.do) {
    case 'choose':
    case 'type':
    case 'config':
    case 'comment':
      return action
    default:
      return undefined
  }
}

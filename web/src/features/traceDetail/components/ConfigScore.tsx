import { Check } from 'lucide-react'
import { cx } from '@/shared/lib/cx'
import type { ScoreConfig, ScoreValues } from '@/shared/scoring'
import { inputClass, KeyHint } from '@/shared/ui'
import { choicesOf, problemOf, type ScoreDraft } from '../model/quickScore'

type ConfigScoreProps = {
  config: ScoreConfig
  values: ScoreValues
  isScored: boolean
  /** Whether something was typed that has not been sent. */
  isDraft: boolean
  /** Whether it is sent together with others, rather than on its own. */
  isTogether?: boolean
  /** Whether the keys choose its values. */
  isCurrent: boolean
  isReady: boolean
  register: (part: 'value' | 'comment', element: HTMLElement | null) => void
  onFocus: () => void
  onType: (typed: ScoreDraft) => void
  onStore: (chosen: ScoreDraft) => void
  onStoreComment: () => void
  onLeave: () => void
}

/** A score config with the value given by it. */
export function ConfigScore(props: ConfigScoreProps) {
  const { config, values, isScored, isDraft, isTogether = false, isCurrent, isReady } = props
  const { register, onFocus, onType, onStore, onStoreComment, onLeave } = props
  const choices = choicesOf(config)
  const chosenAt = choices.findIndex(({ value }) => value === values.value)
  const problem = isDraft && values.value !== '' ? problemOf(values, config) : undefined
  const name = config.name.slice(0, 100)
  const onInputKey = (event: React.KeyboardEvent, send: () => void) => {
    if (event.key === 'Escape') onLeave()
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // It hears of the focus of what is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={name}
      aria-current={isCurrent || undefined}
      onFocus={onFocus}
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-1.5 border-b border-l-2 border-border px-3 py-2 @5xl:flex-col @5xl:items-stretch',
        isCurrent ? 'border-l-accent bg-surface-1' : 'border-l-transparent',
      )}
    >
      <h3 className="flex min-w-0 items-center gap-1.5 text-sm font-medium">
        <span className="min-w-0 truncate" title={config.description ?? undefined}>
          {name}
        </span>
        {isScored && !isDraft && (
          <span className="flex items-center text-success">
            <Check aria-hidden className="size-3.5" />
            <span className="sr-only">{isTogether ? 'Given' : 'Scored'}</span>
          </span>
        )}
        {isDraft && !isTogether && (
          <span className="text-xs font-normal text-text-3">not sent</span>
        )}
      </h3>
      {choices.length > 0 ? (
        <div role="group" aria-label={`Value of ${name}`} className="flex min-w-0 flex-wrap gap-1">
          {choices.map(({ value, label }, index) => (
            <button
              key={value}
              type="button"
              // One stop of Tab for each config.
              tabIndex={index === Math.max(0, chosenAt) ? 0 : -1}
              ref={(element) => {
                if (index === Math.max(0, chosenAt)) register('value', element)
              }}
              aria-pressed={index === chosenAt}
              disabled={!isReady}
              onClick={() => onStore({ value })}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
                const next =
                  by === 0 ? undefined : event.currentTarget.parentElement?.children[index + by]
                if (next instanceof HTMLElement) next.focus()
              }}
              className={cx(
                'flex min-h-7 max-w-full items-center gap-1.5 rounded-md border px-2 py-0.5 text-sm disabled:opacity-50',
                index === chosenAt
                  ? 'border-accent bg-accent-soft text-text-1'
                  : 'border-control/60 bg-surface-0 text-text-2 hover:bg-surface-2',
              )}
            >
              {isCurrent && index < 9 && <KeyHint keys={String(index + 1)} />}
              <bdi className="min-w-0 text-left break-words">{label.slice(0, 200)}</bdi>
            </button>
          ))}
        </div>
      ) : (
        <input
          ref={(element) => register('value', element)}
          aria-label={`Value of ${name}`}
          aria-invalid={problem !== undefined}
          inputMode={config.dataType === 'NUMERIC' ? 'decimal' : 'text'}
          value={values.value}
          disabled={!isReady}
          onChange={(event) => onType({ value: event.target.value })}
          onKeyDown={(event) => onInputKey(event, () => onStore({}))}
          placeholder={rangeOf(config) + (isTogether ? '' : ', then Enter')}
          className={cx(inputClass, '@max-5xl:w-56')}
        />
      )}
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <input
        ref={(element) => register('comment', element)}
        aria-label={`Comment on ${name}`}
        value={values.comment}
        disabled={!isReady}
        onChange={(event) => onType({ comment: event.target.value })}
        onKeyDown={(event) =>
          onInputKey(event, isScored || values.value !== '' ? onStoreComment : onLeave)
        }
        placeholder={isTogether ? 'Comment on this value' : 'Comment (C)'}
        className={cx(inputClass, 'h-7 flex-1 basis-40 text-sm @5xl:flex-none')}
      />
      {isDraft && !isTogether && problem === undefined && values.value !== '' && (
        <p className="text-xs text-text-3">Enter stores it.</p>
      )}
    </section>
  )
}

function rangeOf({ dataType, minValue, maxValue }: ScoreConfig): string {
  if (dataType !== 'NUMERIC') return 'Text'
  if (minValue !== null && maxValue !== null) return `${minValue} to ${maxValue}`
  if (minValue !== null) return `At least ${minValue}`
  return maxValue === null ? 'Number' : `At most ${maxValue}`
}

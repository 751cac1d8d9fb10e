import { Check, SkipForward, Undo2 } from 'lucide-react'
import { ConfigScore, shownValues, type ScoreDraft } from '@/features/traceDetail'
import { messageOf } from '@/shared/api'
import { cx } from '@/shared/lib/cx'
import type { ScoreConfig } from '@/shared/scoring'
import { Button, Callout, inputClass, KeyHint, Time } from '@/shared/ui'
import type { QueueDetails } from '../model/queue'
import {
  givenBy,
  givenProblem,
  type Review,
  type ReviewDraft,
  type ReviewItem,
} from '../model/review'
import { ProgressBar } from './ProgressBar'

type ReviewFormProps = {
  ref: React.Ref<HTMLElement>
  queue: QueueDetails
  item: ReviewItem
  /** Whether the user completed the item before. */
  isMine: boolean
  progress: Review['progress']
  configs: readonly ScoreConfig[]
  draft: ReviewDraft
  /** The score config whose values the keys choose. */
  at: number
  notice: string | undefined
  /** Whether somebody else has the item now. */
  isLost: boolean
  error: unknown
  isSending: boolean
  mayGoBack: boolean
  /** Takes the elements to focus, by the id of the config; "comment" is the one on the whole item. */
  register: (name: string, element: HTMLElement | null) => void
  onFocus: (at: number) => void
  onType: (config: ScoreConfig, typed: ScoreDraft) => void
  /** A value was chosen, or, without one, the user is done with a field. */
  onChoose: (at: number, value: string | undefined) => void
  onComment: (comment: string) => void
  onLeave: () => void
  onComplete: () => void
  onSkip: () => void
  onBack: () => void
}

const longestComment = 5000

/** What the reviewer says about an item: a value by each score config, and a comment. It is stored as a whole. */
export function ReviewForm(props: ReviewFormProps) {
  const { ref, queue, item, isMine, progress, configs, draft, at, notice, isLost, error } = props
  const { onComplete, onSkip, onBack } = props
  const { isSending, mayGoBack, register, onFocus, onType, onChoose, onComment, onLeave } = props
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label="Review"
      className="flex min-w-0 shrink-0 flex-col bg-surface-0 outline-none @5xl:w-96 @5xl:overflow-y-auto @5xl:border-l @5xl:border-border"
    >
      <div className="flex min-w-0 flex-col gap-2 border-b border-border px-3 py-2 text-sm">
        <ProgressBar {...progress} />
        {queue.description !== null && (
          <details open className="min-w-0">
            <summary className="cursor-default font-medium">Instructions</summary>
            <p className="max-h-40 overflow-y-auto break-words whitespace-pre-wrap text-text-2">
              <bdi>{queue.description}</bdi>
            </p>
          </details>
        )}
        {item.status === 'COMPLETED' && (
          <p className="text-text-2">
            {isMine ? 'You completed this item' : 'Somebody else completed this item'}
            {item.completedAt !== null && (
              <>
                {' '}
                <Time at={item.completedAt} words />
              </>
            )}
            .{' '}
            {isMine
              ? 'Complete it again to change that.'
              : 'Your own review does not change theirs.'}
          </p>
        )}
        {item.skipReason !== null && (
          <p className="break-words text-text-2">
            You skipped it{item.skipReason === '' ? '.' : `: ${item.skipReason}`}
          </p>
        )}
      </div>
      {configs.length === 0 && (
        <p className="px-3 py-2 text-sm text-text-3">
          All score configs of this queue are archived. You can still comment.
        </p>
      )}
      {configs.map((config, index) => {
        const given = givenBy(draft, config)
        return (
          <ConfigScore
            key={config.id}
            config={config}
            values={shownValues(config, undefined, given)}
            isScored={given.value.trim() !== '' && givenProblem(draft, config) === undefined}
            isDraft={given.value !== '' && givenProblem(draft, config) !== undefined}
            isTogether
            isCurrent={index === at}
            isReady={!isSending}
            register={(part, element) =>
              register(part === 'value' ? config.id : `${config.id} comment`, element)
            }
            onFocus={() => onFocus(index)}
            onType={(typed) => onType(config, typed)}
            onStore={({ value }) => onChoose(index, value)}
            onStoreComment={() => onChoose(index, undefined)}
            onLeave={onLeave}
          />
        )
      })}
      <div className="flex min-w-0 px-3 py-2">
        <textarea
          ref={(element) => register('comment', element)}
          aria-label="Comment"
          value={draft.comment}
          maxLength={longestComment}
          rows={3}
          disabled={isSending}
          onChange={(event) => onComment(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            event.stopPropagation()
            onLeave()
          }}
          placeholder="Comment on the whole item (C)"
          className={cx(inputClass, 'h-auto min-w-0 flex-1 resize-y py-1')}
        />
      </div>
      <footer className="sticky bottom-0 mt-auto flex min-w-0 flex-col gap-2 border-t border-border bg-surface-0 px-3 py-2">
        {isLost && (
          <Callout tone="warning" title="Somebody else has this item now">
            You did not look at it for more than five minutes. What you entered is kept here, and is
            not stored.
          </Callout>
        )}
        {error !== null && (
          <Callout tone="danger" title="The review was not stored">
            {messageOf(error)}
          </Callout>
        )}
        {notice !== undefined && (
          <p role="alert" className="text-sm break-words text-warning">
            {notice}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            icon={<Check aria-hidden />}
            isPending={isSending}
            onPress={onComplete}
          >
            Complete
          </Button>
          <Button icon={<SkipForward aria-hidden />} isDisabled={isSending} onPress={onSkip}>
            Skip (S)
          </Button>
          <Button
            variant="ghost"
            icon={<Undo2 aria-hidden />}
            isDisabled={!mayGoBack || isSending}
            onPress={onBack}
          >
            Back (U)
          </Button>
        </div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-3 @max-5xl:hidden">
          <span>
            <KeyHint keys="1 … 9" /> value
          </span>
          <span>
            <KeyHint keys="C" /> comment
          </span>
          <span>
            <KeyHint keys="Mod Enter" /> complete
          </span>
        </p>
      </footer>
    </aside>
  )
}

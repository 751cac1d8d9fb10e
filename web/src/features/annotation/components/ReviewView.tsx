import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { choicesOf, isBusy, isTyping } from '@/features/traceDetail'
import { useUser } from '@/shared/currentUser'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { useSearchState } from '@/shared/lib/useSearchState'
import type { ScoreConfig } from '@/shared/scoring'
import { useBack } from '../api/useBack'
import { useHold } from '../api/useHold'
import { useComplete, useSkip } from '../api/useReview'
import type { QueueDetails } from '../model/queue'
import {
  choiceAt,
  draftOf,
  firstProblem,
  missingIn,
  missingText,
  reviewAction,
  toReview,
  withGiven,
  type Review,
  type ReviewAction,
  type ReviewDraft,
  type ReviewItem,
} from '../model/review'
import { noteVisited } from '../model/visited'
import { ReviewedObject } from './ReviewedObject'
import { ReviewForm } from './ReviewForm'
import { SkipDialog } from './SkipDialog'

type ReviewViewProps = {
  projectId: string
  queue: QueueDetails
  item: ReviewItem
  progress: Review['progress']
  /** The score configs of the queue, in its order. */
  configs: readonly ScoreConfig[]
}

const sequenceTime = 1000

/** An item beside the form that says what the reviewer thinks of it. */
export function ReviewView({ projectId, queue, item, progress, configs }: ReviewViewProps) {
  const { id: userId } = useUser()
  const navigate = useNavigate()
  const [{ skipped }] = useSearchState()
  const draftName = `${projectId} review ${item.id}`
  const [draft, setDraft] = useState(() => findUnsent<ReviewDraft>(draftName) ?? draftOf(item))
  const [at, setAt] = useState(0)
  /** Why the item was not completed at the last attempt. */
  const [notice, setNotice] = useState<string>()
  const [isSkipping, setSkipping] = useState(false)
  const form = useRef<HTMLElement>(null)
  const fields = useRef(new Map<string, HTMLElement>())
  const hold = useHold(projectId, queue.id, item.id)
  const complete = useComplete(projectId, queue.id, item.id)
  const skip = useSkip(projectId, queue.id, item.id)
  const back = useBack(projectId, queue.id, item.id)
  const isSending = complete.isPending || complete.isSuccess || skip.isPending || skip.isSuccess

  const change = (next: ReviewDraft) => {
    setDraft(next)
    setNotice(undefined)
    keepUnsent(draftName, next)
  }
  const focusField = (next: number) => {
    setAt(next)
    const config = configs[next]
    if (!config || !form.current?.contains(document.activeElement)) return
    // What is typed needs the focus. On a button, Enter would press it instead of completing the item.
    if (choicesOf(config).length === 0) fields.current.get(config.id)?.focus()
    else form.current.focus({ preventScroll: true })
  }
  const give = (config: ScoreConfig, value: string) => change(withGiven(draft, config, { value }))
  const toNext = () => {
    hold.end()
    noteVisited(projectId, queue.id, item.id)
    void navigate({
      to: '/project/$projectId/annotation-queues/$queueId/items',
      params: { projectId, queueId: queue.id },
      search: { skipped },
    })
  }
  const onComplete = () => {
    if (isSending) return
    const wrong = firstProblem(draft, configs)
    if (wrong !== undefined) {
      setAt(wrong)
      fields.current.get(configs[wrong]?.id ?? '')?.focus()
      return
    }
    const missing = missingIn(draft, configs)
    const question = missing.length > 0 ? missingText(missing, configs.length) : undefined
    if (question !== undefined && question !== notice) {
      setNotice(question)
      return
    }
    complete.mutate(toReview(draft, configs), {
      onSuccess: () => {
        keepUnsent(draftName, undefined)
        toNext()
      },
    })
  }
  const onSkip = (reason: string) =>
    skip.mutate(reason, {
      onSuccess: () => {
        setSkipping(false)
        toNext()
      },
    })
  const onBack = () => {
    if (!isSending) back.goBack()
  }
  const act = (action: ReviewAction) => {
    const config = configs[at]
    switch (action.do) {
      case 'choose': {
        const value = config && choiceAt(config, action.at)
        if (!config || value === undefined) return
        give(config, value)
        focusField(Math.min(at + 1, configs.length - 1))
        return
      }
      case 'type':
        if (!config) return
        give(config, action.text)
        fields.current.get(config.id)?.focus()
        return
      case 'config':
        focusField(Math.min(configs.length - 1, Math.max(0, at + action.by)))
        return
      case 'comment':
        fields.current.get('comment')?.focus()
        return
      case 'complete':
        onComplete()
        return
      case 'skip':
        setSkipping(true)
        return
      case 'back':
        onBack()
    }
  }
  const pressedG = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isBusy(event.target)) return
    // A key pressed after G goes to another page.
    const followsG = event.timeStamp - pressedG.current < sequenceTime
    pressedG.current = event.key === 'g' && !isTyping(event.target) ? event.timeStamp : -Infinity
    if (followsG) return
    const { target } = event
    const action = reviewAction(event, configs[at]?.dataType, {
      isTyping: isTyping(target),
      isOnControl: target instanceof Element && target.closest(pressable) !== null,
      isInForm: target instanceof Node && (form.current?.contains(target) ?? false),
    })
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    act(action)
  })
  // Keys come from outside React, and before the tree, which knows some of them, too.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
  useEffect(() => {
    form.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col @max-5xl:overflow-y-auto @5xl:flex-row">
        <div className="flex h-[60dvh] min-w-0 shrink-0 flex-col border-b border-border @5xl:h-auto @5xl:min-h-0 @5xl:flex-1 @5xl:border-b-0">
          <ReviewedObject projectId={projectId} item={item} />
        </div>
        <ReviewForm
          ref={form}
          queue={queue}
          item={item}
          isMine={item.completedBy === userId}
          progress={progress}
          configs={configs}
          draft={draft}
          at={at}
          notice={notice}
          isLost={hold.isLost}
          error={complete.error}
          isSending={isSending}
          mayGoBack={back.isPossible}
          register={(name, element) => {
            if (element) fields.current.set(name, element)
            else fields.current.delete(name)
          }}
          onFocus={setAt}
          onType={(config, typed) => change(withGiven(draft, config, typed))}
          onChoose={(index, value) => {
            const config = configs[index]
            if (config && value !== undefined) give(config, value)
            if (index + 1 < configs.length) focusField(index + 1)
            else if (value === undefined) fields.current.get('comment')?.focus()
          }}
          onComment={(comment) => change({ ...draft, comment })}
          onLeave={() => form.current?.focus()}
          onComplete={onComplete}
          onSkip={() => setSkipping(true)}
          onBack={onBack}
        />
      </div>
      <SkipDialog
        isOpen={isSkipping}
        isPending={skip.isPending}
        error={skip.error}
        onSkip={onSkip}
        onClose={() => {
          setSkipping(false)
          skip.reset()
        }}
      />
    </div>
  )
}

/** What Enter presses, opens or unfolds. */
const pressable =
  'button, a, summary, [role="button"], [role="tab"], [role="treeitem"], [role="row"]'

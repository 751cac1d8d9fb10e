import { Link } from '@tanstack/react-router'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Plus, Undo2, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useProject, useUser } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { newId } from '@/shared/lib/newId'
import {
  newScore,
  ScoreForm,
  useScoreConfigs,
  usePutScore,
  type ScoreConfig,
} from '@/shared/scoring'
import { Button, IconButton, KeyHint, linkClass, Skeleton, toast } from '@/shared/ui'
import { detailQuery } from '../api/useDetail'
import { givenScores, quickScoreKey, useQuickScore } from '../api/useQuickScore'
import { useScores } from '../api/useScores'
import {
  asStored,
  choicesOf,
  ownScore,
  problemOf,
  scoringAction,
  shownValues,
  toSend,
  type ScoreDraft,
  type ScoringAction,
} from '../model/quickScore'
import { ConfigScore } from './ConfigScore'
import { isBusy, isTyping } from './keyTarget'

type ScoringPaneProps = {
  projectId: string
  traceId: string
  /** Undefined for the trace itself. */
  observationId: string | undefined
  name: string
  /** The environment of the trace, which its scores get too. */
  environment: string
  /** Goes through the list beside it. */
  onWalk: ((by: 1 | -1) => void) | undefined
  onClose: () => void
}

/** Gives scores beside the text, mostly with one key each. On narrow screens it is a strip below the text. */
export function ScoringPane(props: ScoringPaneProps) {
  const { projectId, traceId, observationId, name, onWalk, onClose } = props
  const pane = useRef<HTMLElement>(null)
  const configs = useScoreConfigs(projectId)
  const undo = useQuickScore(projectId)
  // Whenever something was given or taken back, there is another last one.
  useIsMutating({ mutationKey: quickScoreKey(projectId) })
  const last = givenScores(projectId).at(-1)
  const takeBack = () => {
    if (!last) return
    undo.mutate({ do: 'undo', given: last })
    toast(`Undone: ${last.score.name.slice(0, 100)} of ${last.on.slice(0, 100)}`)
  }
  // The table keeps its focus while its rows are walked along.
  useEffect(() => {
    const isInTable = document.activeElement?.closest('[role="grid"]') ?? null
    if (isInTable === null) pane.current?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      aria-label="Scoring"
      className="flex max-h-[30vh] min-w-0 shrink-0 flex-col overflow-y-auto border-t border-border bg-surface-0 outline-none @5xl:max-h-none @5xl:w-80 @5xl:border-t-0 @5xl:border-l"
    >
      <header className="sticky top-0 flex shrink-0 items-center gap-1 border-b border-border bg-surface-0 px-3 py-1">
        <h2 className="mr-auto flex min-w-0 flex-col text-sm">
          <span className="font-medium">
            {observationId === undefined ? 'Score the trace' : 'Score the observation'}
          </span>
          <bdi className="truncate text-text-3">{name.slice(0, 200) || 'Without a name'}</bdi>
        </h2>
        <IconButton
          size="sm"
          label={last ? `Undo ${last.score.name.slice(0, 100)} (U)` : 'Undo (U)'}
          icon={<Undo2 aria-hidden />}
          isDisabled={!last}
          onPress={takeBack}
        />
        {onWalk && (
          <>
            <IconButton
              size="sm"
              label="Previous trace of the list (P)"
              icon={<ChevronUp aria-hidden />}
              onPress={() => onWalk(-1)}
            />
            <IconButton
              size="sm"
              label="Next trace of the list (N)"
              icon={<ChevronDown aria-hidden />}
              onPress={() => onWalk(1)}
            />
          </>
        )}
        <IconButton
          size="sm"
          label="Close scoring (S)"
          icon={<X aria-hidden />}
          onPress={onClose}
        />
      </header>
      {configs.isError ? (
        <div className="p-3">
          <LoadError title="Couldn’t load the score configs" query={configs} />
        </div>
      ) : !configs.data ? (
        <Skeleton className="m-3 h-24" />
      ) : (
        <Values
          key={`${traceId} ${observationId ?? ''}`}
          {...props}
          pane={pane}
          configs={configs.data.filter(({ isArchived }) => !isArchived)}
          onUndo={takeBack}
        />
      )}
    </aside>
  )
}

type ValuesProps = ScoringPaneProps & {
  pane: React.RefObject<HTMLElement | null>
  configs: readonly ScoreConfig[]
  onUndo: () => void
}

const none: ScoreDraft = {}
const sequenceTime = 1000

/** The configs with their values for one trace or observation. */
function Values(props: ValuesProps) {
  const { projectId, traceId, observationId, name, environment, onWalk, onClose } = props
  const { pane, configs, onUndo } = props
  const { id: userId } = useUser()
  const { can } = useProject()
  const client = useQueryClient()
  const scores = useScores(projectId, traceId)
  const give = useQuickScore(projectId)
  const subject = { traceId, observationId }
  const draftName = (config: ScoreConfig) =>
    `${projectId} scoring ${traceId} ${observationId ?? ''} ${config.id}`
  const [drafts, setDrafts] = useState<Record<string, ScoreDraft>>(() =>
    Object.fromEntries(
      configs.flatMap((config) => {
        const kept = findUnsent<ScoreDraft>(draftName(config))
        return kept ? [[config.id, kept]] : []
      }),
    ),
  )
  const [at, setAt] = useState(0)
  const [hasOther, setOther] = useState(configs.length === 0)
  const inputs = useRef(new Map<string, HTMLElement>())
  const current = configs[at]
  const scoreOf = (config: ScoreConfig) =>
    scores.data && ownScore(scores.data.scores, config, subject, userId)
  const draft = (config: ScoreConfig, typed: ScoreDraft | undefined) => {
    keepUnsent(draftName(config), typed)
    setDrafts(({ [config.id]: _before, ...others }) =>
      typed ? { ...others, [config.id]: typed } : others,
    )
  }
  /** Stores what is shown of a config, with what was chosen just now. */
  const store = (config: ScoreConfig, chosen: ScoreDraft): boolean => {
    // Which score is changed is known only once the scores are.
    if (!scores.data) return false
    const before = scoreOf(config)
    const values = shownValues(config, before, { ...drafts[config.id], ...chosen })
    if (problemOf(values, config) !== undefined) {
      draft(config, { ...drafts[config.id], ...chosen })
      return false
    }
    const id = before?.id ?? newId()
    const request = async () => {
      // An observation has an environment of its own.
      const own =
        observationId === undefined
          ? environment
          : (await client.ensureQueryData(detailQuery(projectId, traceId, observationId)))
              .environment
      return toSend(id, values, config, {
        ...subject,
        environment: before?.environment ?? own ?? environment,
      })
    }
    const shown = { ...toSend(id, values, config, { ...subject, environment }), id }
    const score = asStored(shown, projectId, userId, subject, new Date().toISOString())
    give.mutate({ do: 'give', given: { traceId, before, score, on: name || 'the trace' }, request })
    draft(config, undefined)
    return true
  }
  const focusConfig = (next: number) => {
    setAt(next)
    const config = configs[next]
    if (config && pane.current?.contains(document.activeElement))
      inputs.current.get(config.id)?.focus()
  }
  const onward = () => focusConfig(Math.min(at + 1, configs.length - 1))
  const act = (action: ScoringAction) => {
    switch (action.do) {
      case 'choose': {
        const choice = current && choicesOf(current)[action.at]
        if (current && choice && store(current, { value: choice.value })) onward()
        return
      }
      case 'type':
        if (!current) return
        draft(current, { ...drafts[current.id], value: action.text })
        inputs.current.get(current.id)?.focus()
        return
      case 'config':
        focusConfig(Math.min(configs.length - 1, Math.max(0, at + action.by)))
        return
      case 'comment':
        if (current) inputs.current.get(`${current.id} comment`)?.focus()
        return
      case 'walk':
        onWalk?.(action.by)
        return
      case 'undo':
        onUndo()
        return
      case 'close':
        onClose()
    }
  }
  const pressedG = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isBusy(event.target) || isTyping(event.target)) return
    // A key pressed after G goes to another page.
    const followsG = event.timeStamp - pressedG.current < sequenceTime
    pressedG.current = event.key === 'g' ? event.timeStamp : -Infinity
    if (followsG) return
    const isInPane = event.target instanceof Node && (pane.current?.contains(event.target) ?? false)
    const action = scoringAction(event, current?.dataType, isInPane)
    // On a page of its own, the way through the list is there, and takes the keys.
    if (!action || (action.do === 'walk' && !onWalk)) return
    event.preventDefault()
    event.stopPropagation()
    act(action)
  })
  // Keys come from outside React, and before the tree and the table, which know some of them, too.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
  if (scores.isError)
    return (
      <div className="p-3">
        <LoadError title="Couldn’t load the scores" query={scores} />
      </div>
    )
  return (
    <div className="flex min-w-0 flex-col">
      {configs.map((config, index) => (
        <ConfigScore
          key={config.id}
          config={config}
          values={shownValues(config, scoreOf(config), drafts[config.id] ?? none)}
          isScored={scoreOf(config) !== undefined}
          isDraft={drafts[config.id] !== undefined}
          isCurrent={index === at}
          isReady={scores.data !== undefined}
          register={(part, element) => {
            const key = part === 'value' ? config.id : `${config.id} comment`
            if (element) inputs.current.set(key, element)
            else inputs.current.delete(key)
          }}
          onFocus={() => setAt(index)}
          onType={(typed) => draft(config, { ...drafts[config.id], ...typed })}
          onStore={(chosen) => {
            if (store(config, chosen)) focusConfig(Math.min(index + 1, configs.length - 1))
          }}
          onStoreComment={() => {
            if (store(config, {})) inputs.current.get(config.id)?.focus()
          }}
          onLeave={() => pane.current?.focus()}
        />
      ))}
      <div className="flex min-w-0 flex-col gap-2 p-3 text-sm">
        {configs.length === 0 && (
          <p className="text-text-3">
            This project has no score configs yet. With one, its values have keys.{' '}
            {can('scores:write') && (
              <Link
                to="/project/$projectId/settings/scores"
                params={{ projectId }}
                className={linkClass}
              >
                Score configs
              </Link>
            )}
          </p>
        )}
        {hasOther ? (
          <OtherScore {...props} onDone={() => setOther(configs.length === 0)} />
        ) : (
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus aria-hidden />}
            className="self-start"
            onPress={() => setOther(true)}
          >
            Another score
          </Button>
        )}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-text-3 max-sm:hidden @max-5xl:hidden">
          <span>
            <KeyHint keys="1 … 9" /> value
          </span>
          <span>
            <KeyHint keys="N" /> next trace
          </span>
          <span>
            <KeyHint keys="C" /> comment
          </span>
          <span>
            <KeyHint keys="U" /> undo
          </span>
        </p>
      </div>
    </div>
  )
}

type OtherScoreProps = Pick<
  ScoringPaneProps,
  'projectId' | 'traceId' | 'observationId' | 'environment'
> & { onDone: () => void }

/** A score with a name of its own, or a second one by a config. */
function OtherScore({ projectId, traceId, observationId, environment, onDone }: OtherScoreProps) {
  const client = useQueryClient()
  const put = usePutScore(projectId)
  const [round, setRound] = useState(0)
  const keptAs = `${projectId} score of ${JSON.stringify({ traceId, observationId })}`
  return (
    <ScoreForm
      key={round}
      projectId={projectId}
      action="Add score"
      isPending={put.isPending}
      error={put.error}
      keptAs={keptAs}
      onSubmit={(values, config) => {
        const send = async () => {
          const own =
            observationId === undefined
              ? undefined
              : (await client.ensureQueryData(detailQuery(projectId, traceId, observationId)))
                  .environment
          await put.mutateAsync(
            newScore(values, config, {
              traceId,
              observationId,
              environment: own ?? environment,
            }),
          )
          keepUnsent(keptAs, undefined)
          toast('Score added')
          setRound(round + 1)
          onDone()
        }
        send().catch(() => {
          // The form shows why.
        })
      }}
      onClose={onDone}
    />
  )
}

import { useMemo, useState } from 'react'
import { LoadError, NextPageError } from '@/shared/errors'
import { MessageView, pairCalls } from '@/shared/io'
import { countOf, formatDuration, formatMoney } from '@/shared/lib/format'
import { Button, Callout, ObservationType, Skeleton, LevelBadge } from '@/shared/ui'
import { useTurnMessages } from '../api/useTurnMessages'
import { createTranscript, transcriptRows } from '../model/transcript'
import { durationOf, known, levelOf, modelOf, nameOf, typeOf, type Tree } from '../model/tree'

type TranscriptProps = {
  projectId: string
  traceId: string
  tree: Tree
  onSelect: (row: number) => void
}

/** The conversation of the whole trace: only what is new in each model call, and tool calls with their results. */
export function Transcript({ projectId, traceId, tree, onSelect }: TranscriptProps) {
  const ids = useMemo(() => transcriptRows(tree).map((row) => tree.ids[row] ?? ''), [tree])
  const said = useTurnMessages(projectId, traceId, ids)
  // Row numbers may have changed in a tree that has grown.
  const all = useMemo(
    () =>
      (said.data?.pages.flat() ?? []).flatMap((each) => {
        const row = tree.rowOf.get(each.detail.id)
        return row === undefined ? [] : { ...each, row }
      }),
    [said.data, tree],
  )
  const [transcript] = useState(() => createTranscript())
  const turns = useMemo(() => transcript(all), [transcript, all])
  const pairs = useMemo(() => pairCalls(turns.flatMap(({ messages }) => messages)), [turns])
  if (said.isError && !said.data)
    return <LoadError title="Couldn’t load the transcript" query={said} />
  if (!said.data)
    return (
      <div aria-busy="true" className="flex flex-col gap-3 p-3">
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    )
  if (ids.length === 0) return <p className="p-3 text-text-3">This trace has no messages.</p>
  return (
    <div className="flex min-w-0 flex-col">
      <ol aria-label="Transcript" className="flex min-w-0 flex-col">
        {turns.map(({ row, messages, known: before }, at) => {
          const { detail, isCut } = all[at] ?? {}
          const shown = messages.filter(
            ({ parts }) =>
              !parts.length ||
              parts.some((part) => part.kind !== 'toolResult' || !pairs.paired.has(part)),
          )
          const status = detail?.texts.statusMessage
          return (
            <li
              key={row}
              // What is out of sight is not laid out, however long the transcript is.
              className="min-w-0 border-b border-border [contain-intrinsic-size:auto_12rem] [content-visibility:auto]"
            >
              <TurnHead tree={tree} row={row} known={before} onSelect={onSelect} />
              {isCut && (
                <p className="px-3 pb-1 text-sm text-text-3">
                  Too long to show in full here; see its preview.
                </p>
              )}
              {(status ?? '') !== '' && levelOf(tree, row) !== 'DEFAULT' && (
                <div className="px-3 pb-2">
                  <Callout tone={levelOf(tree, row) === 'ERROR' ? 'danger' : 'warning'}>
                    <span dir="auto" className="break-words whitespace-pre-wrap">
                      {status?.slice(0, 2000)}
                    </span>
                  </Callout>
                </div>
              )}
              <ol className="flex min-w-0 flex-col">
                {shown.map((message, place) => (
                  // Messages have no identity other than their index.
                  // oxlint-disable-next-line react/no-array-index-key
                  <MessageView key={place} message={message} pairs={pairs} />
                ))}
              </ol>
            </li>
          )
        })}
      </ol>
      {said.isFetchNextPageError ? (
        <NextPageError query={said} />
      ) : (
        said.hasNextPage && (
          <div className="p-3">
            <Button isPending={said.isFetchingNextPage} onPress={() => void said.fetchNextPage()}>
              Show more: {ids.length - all.length} of {ids.length} turns are left
            </Button>
          </div>
        )
      )}
    </div>
  )
}

type TurnHeadProps = { tree: Tree; row: number; known: number; onSelect: (row: number) => void }

function TurnHead({ tree, row, known: before, onSelect }: TurnHeadProps) {
  const duration = durationOf(tree, row)
  const cost = known(tree.cost[row])
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 bg-surface-1 px-3 py-1 text-sm text-text-3">
      <ObservationType type={typeOf(tree, row)} hideLabel />
      <button
        type="button"
        className="min-w-0 truncate text-text-2 hover:underline"
        onClick={() => onSelect(row)}
      >
        <bdi>{nameOf(tree, row).slice(0, 200) || 'unnamed'}</bdi>
      </button>
      <LevelBadge level={levelOf(tree, row)} />
      <span className="truncate">{modelOf(tree, row)?.slice(0, 100)}</span>
      <span className="tabular ml-auto flex gap-2">
        {before > 0 && <span>{countOf(before, 'earlier message')}</span>}
        {duration !== undefined && <span>{formatDuration(duration)}</span>}
        {cost !== undefined && <span>{formatMoney(cost)}</span>}
      </span>
    </div>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { cx } from '@/shared/lib/cx'
import { formatCount, formatDuration, formatMoney } from '@/shared/lib/format'
import { ObservationType, LevelBadge } from '@/shared/ui'
import type { LoadedTrace } from '../api/useTree'
import { align, difference, type Pair } from '../model/align'
import { durationOf, levelOf, nameOf, typeOf } from '../model/tree'
import { CompareTexts } from './CompareTexts'

type CompareViewProps = {
  projectId: string
  a: LoadedTrace
  b: LoadedTrace
  /** The index of the selected pair. */
  selected: number
  onSelect: (place: number) => void
}

const rowHeight = 32
const columns =
  'grid grid-cols-[minmax(0,1fr)_4.5rem_4.5rem_5rem] @2xl:grid-cols-[minmax(0,1fr)_5rem_5rem_5rem_6rem_5rem]'

/** Two trees and their differences: time, cost and tokens in each row, texts for the selected row. */
export function CompareView({ projectId, a, b, selected, onSelect }: CompareViewProps) {
  const pairs = useMemo(() => align(a.tree, b.tree), [a, b])
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const chosen = pairs[selected]
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        className={cx(
          columns,
          'shrink-0 gap-x-2 border-b border-border px-3 py-1 text-sm text-text-3 [&>*]:text-right',
        )}
      >
        <span className="text-left!">Name</span>
        <span>A</span>
        <span>B</span>
        <span>Time</span>
        <span className="hidden @2xl:block">Cost</span>
        <span className="hidden @2xl:block">Tokens</span>
      </div>
      <div
        ref={scroller}
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label="Differences"
        className="h-[40%] min-h-40 shrink-0 overflow-y-auto border-b border-border"
      >
        <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const pair = pairs[index]
            return (
              pair && (
                <li
                  key={index}
                  className="absolute inset-x-0 top-0"
                  style={{ height: size, transform: `translateY(${start}px)` }}
                >
                  <PairRow
                    a={a}
                    b={b}
                    pair={pair}
                    isSelected={index === selected}
                    onPress={() => onSelect(index)}
                  />
                </li>
              )
            )
          })}
        </ol>
      </div>
      {chosen && (
        <CompareTexts
          projectId={projectId}
          a={{ traceId: a.wire.traceId, observationId: a.tree.ids[chosen.a] }}
          b={{ traceId: b.wire.traceId, observationId: b.tree.ids[chosen.b] }}
        />
      )}
    </div>
  )
}

type PairRowProps = {
  a: LoadedTrace
  b: LoadedTrace
  pair: Pair
  isSelected: boolean
  onPress: () => void
}

function PairRow({ a, b, pair, isSelected, onPress }: PairRowProps) {
  const inA = pair.a >= 0
  const { tree } = inA ? a : b
  const row = inA ? pair.a : pair.b
  const change = difference(a.tree, b.tree, pair)
  const only = !inA ? 'B' : pair.b < 0 ? 'A' : undefined
  const before = inA ? levelOf(a.tree, pair.a) : ''
  const after = pair.b >= 0 ? levelOf(b.tree, pair.b) : ''
  const time = (of: LoadedTrace, at: number) => {
    const duration = at < 0 ? undefined : durationOf(of.tree, at)
    return duration === undefined ? '–' : formatDuration(duration)
  }
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onPress}
      className={cx(
        columns,
        'tabular size-full items-center gap-x-2 border-b border-border/50 px-3 text-left text-sm -outline-offset-2 [&>*]:text-right',
        isSelected ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span
        className="flex min-w-0 items-center gap-1.5 text-base"
        style={{ paddingLeft: Math.min(pair.depth, 16) * 14 }}
      >
        <ObservationType type={typeOf(tree, row)} hideLabel />
        <bdi className="min-w-0 truncate">{nameOf(tree, row).slice(0, 300) || 'unnamed'}</bdi>
        <LevelBadge level={before === after || before === '' ? after : before} isSmall />
        {before !== after && before !== '' && after !== '' && (
          <span className="truncate text-sm text-text-3">
            {before.toLowerCase()} → {after.toLowerCase()}
          </span>
        )}
        {only !== undefined && (
          <span className="shrink-0 rounded-sm bg-surface-2 px-1 text-xs text-text-2">
            only in {only}
          </span>
        )}
      </span>
      <span>{time(a, pair.a)}</span>
      <span>{time(b, pair.b)}</span>
      <Change amount={change?.time} format={formatDuration} />
      <Change amount={change?.cost} format={formatMoney} className="hidden @2xl:block" />
      <Change amount={change?.tokens} format={formatCount} className="hidden @2xl:block" />
    </button>
  )
}

type ChangeProps = {
  amount: number | undefined
  format: (amount: number) => string
  className?: string
}

/** For time, cost and tokens, more is worse and less is better. The sign shows it as well as the colour. */
function Change({ amount, format, className }: ChangeProps) {
  if (amount === undefined || amount === 0)
    return <span className={cx('text-text-3', className)}>–</span>
  return (
    <span className={cx(amount > 0 ? 'text-danger' : 'text-success', className)}>
      {amount > 0 ? '+' : '−'}
      {format(Math.abs(amount))}
    </span>
  )
}

import { cx } from '@/shared/lib/cx'
import { formatCount, formatDuration, formatExact, formatMoney } from '@/shared/lib/format'
import { durationOf, known, totalDurationOf, type Tree } from '../model/tree'
import { traceRow } from '../model/visible'

/** Latency, cost and tokens of a row including everything below it; its own values on hover where they differ. */
export function RowFigures({ tree, row }: { tree: Tree; row: number }) {
  if (row === traceRow)
    return (
      <>
        <Figure text={formatDuration(tree.to - tree.from)} />
        <Figure text={totalOf(tree, tree.totalCost)} className="hidden @md:block" />
        <Figure text={totalOf(tree, tree.totalTokens)} className="hidden @lg:block" />
      </>
    )
  const duration = durationOf(tree, row)
  const total = totalDurationOf(tree, row)
  const cost = known(tree.cost[row])
  const totalCost = known(tree.totalCost[row])
  const tokens = tree.tokens[row] ?? 0
  const totalTokens = tree.totalTokens[row] ?? 0
  const outlives = duration !== undefined && total > duration * 1.01 + 1
  return (
    <>
      <Figure
        text={duration === undefined ? 'running' : formatDuration(duration)}
        title={
          outlives
            ? `Own duration ${formatDuration(duration)}; children ended after ${formatDuration(total)}`
            : undefined
        }
      />
      <Figure
        className="hidden @md:block"
        isSum={totalCost !== cost}
        text={totalCost === undefined ? '' : formatMoney(totalCost)}
        title={
          totalCost === undefined || totalCost === cost
            ? undefined
            : `Own cost ${cost === undefined ? 'none' : formatMoney(cost)}, including children ${formatMoney(totalCost)}`
        }
      />
      <Figure
        className="hidden @lg:block"
        isSum={totalTokens !== tokens}
        text={totalTokens === 0 ? '' : formatCount(totalTokens)}
        title={
          totalTokens === 0
            ? undefined
            : totalTokens === tokens
              ? `${formatExact(tokens)} tokens`
              : `Own tokens ${formatExact(tokens)}, including children ${formatExact(totalTokens)}`
        }
      />
    </>
  )
}

/** The sum over the roots. */
function totalOf(tree: Tree, column: Float64Array): string {
  let sum = 0
  for (let row = 0; row < tree.count; row += tree.size[row] ?? 1) sum += known(column[row]) ?? 0
  if (sum === 0) return ''
  return column === tree.totalCost ? formatMoney(sum) : formatCount(sum)
}

type FigureProps = { text: string; title?: string; isSum?: boolean; className?: string }

function Figure({ text, title, isSum, className }: FigureProps) {
  return (
    <span
      title={title}
      className={cx('tabular truncate text-right text-sm text-text-2', className)}
    >
      {isSum && text !== '' && (
        <span className="text-text-3">
          <span aria-hidden>Σ </span>
          <span className="sr-only">in all </span>
        </span>
      )}
      {text}
    </span>
  )
}

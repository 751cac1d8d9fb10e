import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { HeatMap } from '@/shared/charts'
import { formatExact, formatShare } from '@/shared/lib/format'
import { Facts, linkClass, Section } from '@/shared/ui'
import { shortNumber } from '../model/bins'
import { compareScores, decodeCell, type Comparison } from '../model/compare'
import type { Point, ScoreKind } from '../model/points'
import { PairTable } from './PairTable'
import { useSearchState } from '@/shared/lib/useSearchState'

type ComparisonViewProps = {
  projectId: string
  first: ScoreKind
  second: ScoreKind
  firstPoints: readonly Point[]
  secondPoints: readonly Point[]
}

/** How far two scores agree, and the scored objects of each cell. */
export function ComparisonView(props: ComparisonViewProps) {
  const { projectId, first, second, firstPoints, secondPoints } = props
  const [search] = useSearchState()
  const found = useMemo(
    () =>
      compareScores(
        { points: firstPoints, dataType: first.dataType },
        { points: secondPoints, dataType: second.dataType },
      ),
    [firstPoints, secondPoints, first.dataType, second.dataType],
  )
  const cell = decodeCell(search.cell)
  const title = found.agreement || found.numbers ? 'Agreement' : 'Both scores together'
  if (found.pairs.length === 0)
    return (
      <Section title={title}>
        <p className="text-text-2">
          Nothing has both scores in this time range, so there is nothing to compare.
        </p>
      </Section>
    )
  return (
    <Section
      title={title}
      description={
        found.by === 'subject'
          ? `${formatExact(found.pairs.length)} objects have both scores. Where one has several of the same name, the newest is used.`
          : `${formatExact(found.pairs.length)} traces have both scores, though on different parts of them. Where there are several of the same name, the newest is used.`
      }
    >
      <Facts facts={figures(found)} />
      <HeatMap
        label={`${first.name} against ${second.name}`}
        rows={found.rows.labels}
        columns={found.columns.labels}
        rowTitle={first.name}
        columnTitle={second.name}
        counts={found.counts}
        cell={(row, column, text) => (
          <Link
            to="."
            search={(before: object) => ({ ...before, cell: `${row}.${column}` })}
            hash="rows"
            resetScroll={false}
            aria-current={cell?.row === row && cell.column === column ? 'true' : undefined}
            aria-label={`${text}: ${found.rows.labels[row]} and ${found.columns.labels[column]}. Show them.`}
            className="block px-2 py-1.5 text-text-1 underline decoration-text-3/50 underline-offset-2 aria-[current=true]:font-semibold"
          >
            {text}
          </Link>
        )}
      />
      {cell && (
        <div id="rows" className="flex flex-col gap-2">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h3 className="font-medium">
              {first.name} {found.rows.labels[cell.row] ?? '?'}, {second.name}{' '}
              {found.columns.labels[cell.column] ?? '?'}
            </h3>
            <Link
              to="."
              search={(before: object) => ({ ...before, cell: undefined })}
              resetScroll={false}
              className={linkClass}
            >
              Close
            </Link>
          </div>
          <PairTable
            projectId={projectId}
            names={[first.name, second.name]}
            pairs={found.pairs.filter(
              ({ row, column }) => row === cell.row && column === cell.column,
            )}
          />
        </div>
      )}
    </Section>
  )
}

function figures({ pairs, agreement, numbers }: Comparison) {
  const text = (value: number | undefined) => (value === undefined ? '–' : shortNumber(value))
  const hasCorrelation = numbers?.pearson !== undefined
  return [
    { label: 'Pairs', value: formatExact(pairs.length) },
    ...(agreement
      ? [
          { label: 'Same value', value: formatShare(agreement.share) },
          { label: 'Cohen’s κ (1 full, 0 chance)', value: text(agreement.kappa) },
        ]
      : []),
    ...(numbers && hasCorrelation
      ? [
          { label: 'Pearson’s r', value: text(numbers.pearson) },
          { label: 'Spearman’s ρ', value: text(numbers.spearman) },
        ]
      : []),
    ...(numbers ? [{ label: 'Mean distance', value: text(numbers.difference) }] : []),
    ...(numbers && !hasCorrelation
      ? [{ label: 'Correlation', value: 'takes 3 pairs, and values that differ' }]
      : []),
  ]
}

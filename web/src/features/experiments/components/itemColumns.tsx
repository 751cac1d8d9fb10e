import type { Column } from '@/shared/table'
import { Badge } from '@/shared/ui'
import type { CellText, ComparedCell, ComparedItem, Comparison } from '../api/useComparison'
import { measureColumnId } from '../model/results'
import { runName } from '../model/runs'
import { measureName, measureText } from '../model/scores'
import { signed } from '../model/sentence'
import { Change } from './Change'

/** The columns of the items: their texts, then the output and the measures of each run. */
export function itemColumns({ runs, measures }: Comparison): Column<ComparedItem>[] {
  return [
    {
      id: 'input',
      header: 'Input',
      width: 260,
      grows: true,
      required: true,
      cell: (row) => <Text text={row.input} />,
    },
    { id: 'expected', header: 'Expected', width: 180, cell: (row) => <Text text={row.expected} /> },
    { id: 'item', header: 'Item', width: 140, hiddenAtFirst: true, cell: (row) => row.itemId },
    ...runs.flatMap((run, n): Column<ComparedItem>[] => {
      const name = runName(run, n)
      return [
        {
          id: `output${n}`,
          header: 'Output',
          under: name,
          group: name,
          width: 220,
          cell: (row) => <Output cell={row.cells[n] ?? null} />,
        },
        ...measures.map((measure): Column<ComparedItem> => {
          const isLabel = measure.dataType === 'CATEGORICAL'
          return {
            id: measureColumnId(n, measure.key),
            header: measureName(measure, measures),
            under: name,
            group: name,
            width: n === 0 ? 90 : 130,
            align: isLabel ? 'start' : 'end',
            sortable: !isLabel,
            // Scores first: what a run costs is a click away.
            hiddenAtFirst: measure.isRatio && runs.length > 1,
            cell: (row) => {
              const score = row.cells[n]?.scores.find(({ key }) => key === measure.key)
              if (!score) return <span className="text-text-3">–</span>
              const before = row.cells[0]?.scores.find(({ key }) => key === measure.key)
              return (
                <span className="tabular inline-flex items-center gap-1.5">
                  {score.mean === null
                    ? (score.label ?? 'several')
                    : measureText(measure, score.mean)}
                  <Change
                    change={score.change}
                    isLabel={isLabel}
                    text={
                      score.mean === null || before?.mean === null || before === undefined
                        ? ''
                        : measure.isRatio
                          ? `×${(score.mean / before.mean).toFixed(2)}`
                          : signed(measure, score.mean - before.mean)
                    }
                  />
                </span>
              )
            },
          }
        }),
      ]
    }),
  ]
}

function Text({ text }: { text: CellText | null }) {
  if (text === null) return <span className="text-text-3">–</span>
  return <bdi>{text.text.slice(0, shown)}</bdi>
}

/** So many characters of a text are in a cell. */
const shown = 300

function Output({ cell }: { cell: ComparedCell | null }) {
  if (cell === null) return <span className="text-text-3">missing</span>
  const [first] = cell.attempts
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {cell.attempts.some(({ isError }) => isError) && <Badge tone="danger">Error</Badge>}
      {cell.attempts.length > 1 && <Badge>{`${cell.attempts.length} runs`}</Badge>}
      <span className="min-w-0 truncate">
        <Text text={first?.output ?? null} />
      </span>
    </span>
  )
}

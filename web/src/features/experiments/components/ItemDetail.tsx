import { useState } from 'react'
import { Diff } from '@/shared/diff'
import { Value } from '@/shared/io'
import { Badge, Button, Duration, Money, SegmentedControl, type Option } from '@/shared/ui'
import type { CellText, ComparedCell, ComparedItem, Comparison } from '../api/useComparison'
import { runName } from '../model/runs'
import { measureName, measureText } from '../model/scores'
import { signed } from '../model/sentence'
import { Change } from './Change'

type ItemDetailProps = {
  comparison: Comparison
  item: ComparedItem
  onTrace: (traceId: string, observationId: string) => void
}

type Look = 'difference' | 'texts'

const looks: Option<Look>[] = [
  { id: 'difference', label: 'Difference' },
  { id: 'texts', label: 'Whole outputs' },
]

/** An item with its texts, and what each run made of it. */
export function ItemDetail({ comparison, item, onTrace }: ItemDetailProps) {
  const [look, setLook] = useState<Look>('difference')
  const { runs } = comparison
  const baseline = item.cells[0]?.attempts[0]?.output ?? null
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3">
      <Part title="Input" text={item.input} />
      <Part title="Expected output" text={item.expected} />
      {runs.length > 1 && (
        <SegmentedControl
          label="How outputs are shown"
          options={looks}
          value={look}
          onChange={setLook}
          className="self-start"
        />
      )}
      {runs.map((run, n) => {
        const cell = item.cells[n] ?? null
        return (
          <section
            key={run.id}
            aria-label={runName(run, n)}
            className="flex min-w-0 flex-col gap-2"
          >
            <h2 className="font-medium break-words">
              <bdi>{runName(run, n)}</bdi>
            </h2>
            {cell === null ? (
              <p className="text-text-3">This run does not have the item.</p>
            ) : (
              <>
                <Scores comparison={comparison} item={item} cell={cell} />
                {cell.attempts.map((attempt, at) => (
                  <div key={attempt.observationId} className="flex min-w-0 flex-col gap-1.5">
                    <div className="flex flex-wrap items-center gap-2 text-sm text-text-2">
                      {cell.attempts.length > 1 && <span>Run {at + 1}</span>}
                      {attempt.isError && <Badge tone="danger">Error</Badge>}
                      <Duration milliseconds={attempt.latency} />
                      {attempt.cost !== null && <Money amount={attempt.cost} isNarrow />}
                      <Button
                        size="sm"
                        onPress={() => onTrace(attempt.traceId, attempt.observationId)}
                      >
                        Show trace
                      </Button>
                    </div>
                    {n > 0 && look === 'difference' && baseline && attempt.output ? (
                      <Diff
                        label={`Output of ${runName(run, n)}`}
                        before={baseline.text}
                        after={attempt.output.text}
                        names={['Baseline', runName(run, n)]}
                      />
                    ) : (
                      <Shown label="Output" text={attempt.output} />
                    )}
                    {(attempt.output?.isCut || (n > 0 && baseline?.isCut)) && <Cut />}
                  </div>
                ))}
              </>
            )}
          </section>
        )
      })}
    </div>
  )
}

function Part({ title, text }: { title: string; text: CellText | null }) {
  if (text === null) return null
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <Shown label={title} text={text} />
      {text.isCut && <Cut />}
    </section>
  )
}

function Shown({ label, text }: { label: string; text: CellText | null }) {
  if (text === null) return <p className="text-text-3">No output.</p>
  return <Value label={label} text={text.text} field={label === 'Input' ? 'input' : 'output'} />
}

function Cut() {
  return (
    <p className="text-sm text-text-3">
      Only the first 4,000 bytes are shown and compared; the trace has the rest.
    </p>
  )
}

type ScoresProps = { comparison: Comparison; item: ComparedItem; cell: ComparedCell }

function Scores({ comparison, item, cell }: ScoresProps) {
  const { measures } = comparison
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {measures.map((measure) => {
        const score = cell.scores.find(({ key }) => key === measure.key)
        if (!score || measure.isRatio) return null
        const before = item.cells[0]?.scores.find(({ key }) => key === measure.key)
        const difference =
          score.mean === null || before === undefined || before.mean === null
            ? ''
            : signed(measure, score.mean - before.mean)
        return (
          <div key={measure.key} className="flex items-center gap-1.5">
            <dt className="text-text-3">{measureName(measure, measures)}</dt>
            <dd className="tabular flex items-center gap-1">
              {score.mean === null ? (score.label ?? 'several') : measureText(measure, score.mean)}
              <Change
                change={score.change}
                isLabel={measure.dataType === 'CATEGORICAL'}
                text={difference}
              />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

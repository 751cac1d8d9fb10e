import { ArrowDown, ArrowUp } from 'lucide-react'
import { Badge, Button, type Tone } from '@/shared/ui'
import type { ComparedMeasure, Comparison, Difference } from '../api/useComparison'
import { runName } from '../model/runs'
import { meanText, measureName, nameInSentence } from '../model/scores'
import {
  changesSentence,
  differenceSentence,
  estimateText,
  intervalText,
  missingText,
} from '../model/sentence'
import type { Choice } from '../model/results'

type SummaryProps = {
  comparison: Comparison
  /** Shows the items of a choice. */
  onChoose: (choice: Choice, measure: string) => void
  /** Turns what is better round. */
  onDirection: (measure: string, isLower: boolean) => void
}

/** Every measure of every experiment, with its difference to the baseline and what that says. */
export function Summary({ comparison, onChoose, onDirection }: SummaryProps) {
  const { runs, measures } = comparison
  return (
    // Scrolls sideways with the keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="Summary" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-border text-text-3">
            <th scope="col" className="py-1 pr-4 font-medium">
              Measure
            </th>
            {runs.map((run, n) => (
              <th key={run.id} scope="col" className="max-w-72 py-1 pr-4 font-medium">
                <bdi className="block truncate" title={runName(run, n)}>
                  {runName(run, n)}
                </bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.filter(isKnown).map((measure) => (
            <tr key={measure.key} className="border-b border-border align-top">
              <th scope="row" className="py-1.5 pr-4 font-normal">
                <bdi className="block max-w-48 truncate">{measureName(measure, measures)}</bdi>
                {isScore(measure) && runs.length > 1 && (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="-ml-2 text-text-3"
                    onPress={() => onDirection(measure.key, !measure.lowerIsBetter)}
                  >
                    {measure.lowerIsBetter ? 'Lower is better' : 'Higher is better'}
                  </Button>
                )}
              </th>
              <td className="tabular py-1.5 pr-4">{meanText(measure, measure.baseline)}</td>
              {measure.candidates.map((candidate, n) => (
                <td key={runs[n + 1]?.id} className="py-1.5 pr-4">
                  <span className="tabular">{meanText(measure, candidate.score)}</span>
                  {candidate.difference && (
                    <Differs
                      measure={measure}
                      name={nameInSentence(measure, measures)}
                      difference={candidate.difference}
                      onChoose={(choice) => onChoose(choice, measure.key)}
                    />
                  )}
                  {candidate.changes && (
                    <p className="max-w-96 text-text-2">
                      {changesSentence(candidate.changes)}{' '}
                      <Missing text={missingText(candidate.changes)} />
                    </p>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether any experiment has a value of it. */
function isKnown({ baseline, candidates }: ComparedMeasure): boolean {
  return baseline.items > 0 || candidates.some(({ score }) => score.items > 0)
}

function isScore(measure: ComparedMeasure): boolean {
  return measure.dataType === 'NUMERIC' || measure.dataType === 'BOOLEAN'
}

const verdicts: Record<Difference['verdict'], { tone: Tone; text: string }> = {
  better: { tone: 'success', text: 'Better' },
  worse: { tone: 'danger', text: 'Worse' },
  unclear: { tone: 'neutral', text: 'Unclear' },
  'too-few': { tone: 'neutral', text: 'Too few items' },
}

type DiffersProps = {
  measure: ComparedMeasure
  name: string
  difference: Difference
  onChoose: (choice: Choice) => void
}

function Differs({ measure, name, difference, onChoose }: DiffersProps) {
  const verdict = verdicts[difference.verdict]
  return (
    <>
      <span className="ml-2 inline-flex flex-wrap items-center gap-1.5 align-middle">
        <span className="tabular" title={intervalText(measure, difference)}>
          {estimateText(measure, difference)}
        </span>
        {difference.paired > 0 && <Badge tone={verdict.tone}>{verdict.text}</Badge>}
        {difference.improved > 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={<ArrowUp aria-hidden />}
            onPress={() => onChoose('improvements')}
          >
            {difference.improved}
            <span className="sr-only">{`got better in ${name}: show these items`}</span>
          </Button>
        )}
        {difference.regressed > 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={<ArrowDown aria-hidden />}
            onPress={() => onChoose('regressions')}
          >
            {difference.regressed}
            <span className="sr-only">{`got worse in ${name}: show these items`}</span>
          </Button>
        )}
      </span>
      <p className="max-w-96 text-text-2">
        {differenceSentence(name, measure, difference)} <Missing text={missingText(difference)} />
      </p>
    </>
  )
}

function Missing({ text }: { text: string }) {
  return text === '' ? null : <span className="text-text-3">({text})</span>
}

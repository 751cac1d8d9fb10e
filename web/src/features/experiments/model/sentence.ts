import { countOf } from '@/shared/lib/format'
import type { ComparedMeasure, Difference, LabelChanges } from '../api/useComparison'
import { measureText } from './scores'

type Kind = Pick<ComparedMeasure, 'key' | 'dataType' | 'isRatio'>

/** What a difference says, in a sentence: who got worse, and what the interval allows to say about all. */
export function differenceSentence(name: string, measure: Kind, difference: Difference): string {
  const { paired, improved, regressed, verdict, low, high } = difference
  if (paired === 0) return `No item has ${name} in both experiments.`
  const counts = `${regressed} of ${countOf(paired, 'item')} got worse, ${improved} better`
  if (verdict === 'too-few') return `${counts}. That is too few items for a verdict.`
  if (low === null || high === null) return `${counts}.`
  if (verdict === 'unclear')
    return low === high
      ? `${counts}; ${name} did not change.`
      : `${counts}; whether ${name} changed is unclear (${intervalText(measure, difference)}).`
  return `${counts}; ${name} ${changeText(measure, low, high)} with 95% confidence.`
}

function changeText(measure: Kind, low: number, high: number): string {
  if (measure.isRatio)
    return low > 1
      ? `rose to ${ratio(low)}–${ratio(high)} of what it was`
      : `fell to ${ratio(low)}–${ratio(high)} of what it was`
  return low > 0
    ? `rose by ${measureText(measure, low)}–${measureText(measure, high)}`
    : `fell by ${measureText(measure, -high)}–${measureText(measure, -low)}`
}

/** The mean difference of a measure, or its ratio. */
export function estimateText(measure: Kind, { estimate }: Difference): string {
  if (estimate === null) return '–'
  return measure.isRatio ? ratio(estimate) : signed(measure, estimate)
}

/** The interval around it. */
export function intervalText(measure: Kind, { low, high }: Difference): string {
  if (low === null || high === null) return ''
  return measure.isRatio
    ? `${ratio(low)} to ${ratio(high)}`
    : `${signed(measure, low)} to ${signed(measure, high)}`
}

/** A difference with its sign. */
export function signed(measure: Pick<Kind, 'key' | 'dataType'>, value: number): string {
  const text = measureText(measure, Math.abs(value))
  return text === measureText(measure, 0) ? text : `${value < 0 ? '−' : '+'}${text}`
}

function ratio(value: number): string {
  return `×${value.toFixed(2)}`
}

/** Which categories changed into which others, the most frequent first. */
export function changesSentence(changes: LabelChanges): string {
  const { paired, changed, mixed, transitions } = changes
  const undecided = mixed > 0 ? ` The repetitions of ${countOf(mixed, 'item')} disagree.` : ''
  if (paired === 0) return `No item has it in both experiments.${undecided}`
  const counts = `${changed} of ${countOf(paired, 'item')} changed`
  const moves = transitions
    .filter(({ from, to }) => from !== to)
    .slice(0, 3)
    .map(({ from, to, items }) => `${from} → ${to} ${items}`)
  return `${counts}${moves.length > 0 ? `: ${moves.join(', ')}` : ''}.${undecided}`
}

/** Which items only one side has a value for; empty if there are none. */
export function missingText(found: {
  onlyBaseline: number
  onlyCandidate: number
  leftOut?: number
}): string {
  return [
    found.onlyBaseline > 0 && `${found.onlyBaseline} only in the baseline`,
    found.onlyCandidate > 0 && `${found.onlyCandidate} only here`,
    (found.leftOut ?? 0) > 0 && `${found.leftOut} without a ratio`,
  ]
    .filter(Boolean)
    .join(', ')
}

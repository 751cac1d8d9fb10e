import { formatDuration, formatMoney, formatScore, formatShare } from '@/shared/lib/format'
import type { Measure, MeanScore } from '../api/useExperiments'

type Kind = Pick<Measure, 'dataType' | 'key'>

/** A number of a measure as people read it: booleans are shares. */
export function measureText({ dataType, key }: Kind, value: number): string {
  if (key === 'cost') return formatMoney(value)
  if (key === 'latency') return formatDuration(value)
  return dataType === 'BOOLEAN' ? formatShare(value) : (formatScore(value) ?? '–')
}

/** What a measure is over all items of an experiment: its mean, or its most frequent categories. */
export function meanText(measure: Kind, score: MeanScore | undefined): string {
  if (!score || score.items === 0) return '–'
  if (score.mean !== null) return measureText(measure, score.mean)
  return score.labels.map(({ label, items }) => `${label} ${items}`).join(', ')
}

/** The name of a measure; its source only where another one has the same name. */
export function measureName(measure: Measure, all: readonly Measure[]): string {
  if (measure.key === 'cost') return 'Cost'
  if (measure.key === 'latency') return 'Latency'
  const others = all.filter(({ name, key }) => name === measure.name && key !== measure.key)
  if (others.length === 0) return measure.name
  const isEnough = others.every(({ source }) => source !== measure.source)
  return `${measure.name} (${isEnough ? measure.source : `${measure.source}, ${measure.dataType}`})`
}

/** The name of a measure within a sentence: names of scores stay as they are written. */
export function nameInSentence(measure: Measure, all: readonly Measure[]): string {
  const isOurs = measure.key === 'cost' || measure.key === 'latency'
  return isOurs ? measure.key : measureName(measure, all)
}

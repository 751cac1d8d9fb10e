import { categoryBins, countPlaces, numberBins, type Bins } from './bins'
import { pairPoints, type AnalysedType, type Pairing, type Point, type PointPair } from './points'
import {
  agreement,
  crossTable,
  meanAbsoluteDifference,
  pearson,
  spearman,
  type Agreement,
} from './statistics'

/** The bins for the values of a score. */
export function binsOf(points: readonly Point[], dataType: AnalysedType): Bins {
  if (dataType === 'NUMERIC')
    return numberBins(points.map(({ value }) => value).filter((value) => typeof value === 'number'))
  // Both values get a bin, even if only one occurs.
  if (dataType === 'BOOLEAN') return categoryBins(['No', 'Yes'])
  return categoryBins(points.map(({ value }) => String(value)))
}

export function distributionOf(points: readonly Point[], bins: Bins): number[] {
  return countPlaces(
    points.map(({ value }) => value),
    bins,
  )
}

export type Comparison = {
  by: Pairing
  pairs: (PointPair & { row: number; column: number })[]
  rows: Bins
  columns: Bins
  counts: number[][]
  /** For two scores with the same categories. */
  agreement?: Agreement
  /** For two numeric scores. */
  numbers?: {
    pearson: number | undefined
    spearman: number | undefined
    difference: number | undefined
  }
}

/** Scores without a common value have different scales: that they never agree says nothing. */
function haveCommonValue(firsts: readonly Point[], seconds: readonly Point[]): boolean {
  if (firsts.every(({ value }) => isTruth(value)) && seconds.every(({ value }) => isTruth(value)))
    return true
  const values = new Set(firsts.map(({ value }) => value))
  return seconds.some(({ value }) => values.has(value))
}

function isTruth(value: Point['value']): boolean {
  return value === 'Yes' || value === 'No'
}

type Side = { points: readonly Point[]; dataType: AnalysedType }

/** Compares two scores of the same objects. */
export function compareScores(first: Side, second: Side): Comparison {
  const { pairs, by } = pairPoints(first.points, second.points)
  const firsts = pairs.map((pair) => pair.first)
  const seconds = pairs.map((pair) => pair.second)
  const areNumbers = first.dataType === 'NUMERIC' && second.dataType === 'NUMERIC'
  // Agreement needs the same categories on both sides, in the same order: yes is no category of another score.
  const isOneScale =
    !areNumbers && first.dataType === second.dataType && haveCommonValue(firsts, seconds)
  const shared = isOneScale ? binsOf([...firsts, ...seconds], first.dataType) : undefined
  const rows = shared ?? binsOf(firsts, first.dataType)
  const columns = shared ?? binsOf(seconds, second.dataType)
  const placed = pairs.map((pair) => ({
    ...pair,
    row: rows.placeOf(pair.first.value),
    column: columns.placeOf(pair.second.value),
  }))
  const counts = crossTable(
    placed.map(({ row, column }) => [row, column] as const),
    rows.labels.length,
    columns.labels.length,
  )
  const numbers = pairs.flatMap((pair) =>
    typeof pair.first.value === 'number' && typeof pair.second.value === 'number'
      ? [[pair.first.value, pair.second.value] as const]
      : [],
  )
  return {
    by,
    pairs: placed,
    rows,
    columns,
    counts,
    ...(isOneScale && { agreement: agreement(counts) }),
    ...(areNumbers && {
      numbers: {
        pearson: pearson(numbers),
        spearman: spearman(numbers),
        difference: meanAbsoluteDifference(numbers),
      },
    }),
  }
}

/** A cell of the comparison table, as written in the URL: 2.0. */
export function decodeCell(text: string | undefined): { row: number; column: number } | undefined {
  const match = /^(\d{1,2})\.(\d{1,2})$/.exec(text ?? '')
  return match ? { row: Number(match[1]), column: Number(match[2]) } : undefined
}

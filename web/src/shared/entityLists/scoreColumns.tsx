import { formatCount, formatScore } from '@/shared/lib/format'
import { dynamicId, dynamicKeys, type Column, type TableState } from '@/shared/table'
import type { UiComponents } from '@/shared/api'

type Scored = { scores: UiComponents['schemas']['ScoreTallies'] }
type Tally = NonNullable<Scored['scores']>[string]

/** Whether a list shows scores, which are loaded only then. */
export function showsScores(state: TableState): boolean {
  return dynamicKeys('scores', state.shown).length > 0
}

/** A column for each name of a score: the average, or the most frequent value. */
export function scoreColumns<Row extends Scored>(names: readonly string[]): Column<Row>[] {
  return names.map((name) => ({
    id: dynamicId('scores', name),
    header: name,
    group: 'Scores',
    width: 130,
    align: 'end',
    hiddenAtFirst: true,
    cell: ({ scores }) => {
      const tally = scores?.[name]
      if (scores === null)
        return <span title="Too many traces to look up their scores">too many</span>
      return tally && <span title={inWords(tally)}>{summary(tally)}</span>
    },
  }))
}

function summary({ count, average, values }: Tally): string {
  const [most] = values
  const value = average === null ? most?.value : `⌀ ${formatScore(average) ?? ''}`
  return count === 1 ? (value ?? '').replace('⌀ ', '') : `${value ?? ''} (${formatCount(count)})`
}

function inWords({ count, average, values }: Tally): string {
  return [
    `${count} ${count === 1 ? 'score' : 'scores'}`,
    ...(average === null ? [] : [`average ${average}`]),
    ...values.map((each) => `${each.value}: ${each.count}`),
  ].join('\n')
}

import {
  countColumn,
  durationColumn,
  dynamicId,
  errorsColumn,
  idColumn,
  moneyColumn,
  timeColumn,
  type Column,
} from '@/shared/table'
import { formatScore } from '@/shared/lib/format'
import type { Experiment, Measure } from '../api/useExperiments'
import { meanText, measureName } from '../model/scores'

/** The columns of the list; each score has its own. */
export function experimentColumns(
  measures: readonly Measure[],
  datasets: ReadonlyMap<string, string>,
): Column<Experiment>[] {
  const datasetOf = ({ datasetId }: Experiment) =>
    datasetId === null ? 'Local data' : (datasets.get(datasetId) ?? datasetId)
  return [
    {
      id: 'name',
      header: 'Name',
      width: 240,
      grows: true,
      required: true,
      sortable: true,
      value: (row) => row.name,
      cell: (row) => <bdi title={row.name || row.id}>{row.name || row.id}</bdi>,
    },
    {
      id: 'dataset',
      header: 'Dataset',
      width: 150,
      sortable: true,
      value: datasetOf,
      cell: (row) => (
        <span title={datasetOf(row)} className={row.datasetId === null ? 'text-text-3' : undefined}>
          {datasetOf(row)}
        </span>
      ),
    },
    countColumn('items', 'Items', (row) => row.figures?.items, { sortable: true, width: 80 }),
    countColumn('runs', 'Runs', (row) => row.figures?.runs, { sortable: true, width: 80 }),
    ...measures.map((measure): Column<Experiment> => {
      const scoreOf = (row: Experiment) =>
        row.figures?.scores.find(({ key }) => key === measure.key)
      return {
        id: dynamicId('scores', measure.key),
        header: measureName(measure, measures),
        group: 'Scores',
        width: measure.dataType === 'CATEGORICAL' ? 150 : 100,
        align: measure.dataType === 'CATEGORICAL' ? 'start' : 'end',
        sortable: true,
        value: (row) => scoreOf(row)?.mean ?? scoreOf(row)?.labels[0]?.label,
        cell: (row) => <span className="tabular">{meanText(measure, scoreOf(row))}</span>,
      }
    }),
    {
      id: 'runScores',
      header: 'Run scores',
      width: 180,
      hiddenAtFirst: true,
      cell: (row) =>
        row.runScores
          .map(({ name, value, label }) => `${name} ${formatScore(value ?? label) ?? '–'}`)
          .join(', '),
    },
    errorsColumn('errors', 'Errors', (row) => row.figures?.errors ?? 0, { sortable: true }),
    durationColumn(
      'latency',
      'Latency',
      (row) => {
        const milliseconds = row.figures?.latency
        return milliseconds === null || milliseconds === undefined ? null : milliseconds / 1000
      },
      { sortable: true },
    ),
    moneyColumn('cost', 'Cost', (row) => row.figures?.cost, { sortable: true }),
    timeColumn('created', 'Created', (row) => row.startTime, { sortable: true }),
    idColumn('id', 'Id', (row) => row.id, { hiddenAtFirst: true }),
  ]
}

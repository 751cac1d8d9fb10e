import { formatScore } from '@/shared/lib/format'
import type { Column } from '@/shared/table'
import {
  Badge,
  Duration,
  Money,
  ObservationType,
  Time,
  Tokens,
  LevelBadge,
  ErrorCount,
} from '@/shared/ui'
import { dynamicId } from '../model/columnIds'
import { nameOf, tokensPerSecond, type Row } from '../model/rows'
import type { Table } from '../model/view'
import { Tags } from './Tags'

const seconds = (value: number | null) => (
  <Duration milliseconds={value === null ? null : value * 1000} />
)
const preview = (text: string | null) => text !== null && <span title={text}>{text}</span>

const start: Column<Row> = {
  id: 'startTime',
  header: 'Start',
  width: 104,
  sortable: true,
  cell: (row) => <Time at={row.startTime} />,
}
const type: Column<Row> = {
  id: 'type',
  header: 'Type',
  width: 116,
  cell: (row) => <ObservationType type={row.type} />,
}
const name = (table: Table): Column<Row> => ({
  id: 'name',
  header: 'Name',
  width: 170,
  required: true,
  cell: (row) => <span title={nameOf(table, row)}>{nameOf(table, row)}</span>,
})
const io: Column<Row>[] = [
  {
    id: 'input',
    header: 'Input',
    width: 190,
    grows: true,
    cell: (row) => preview(row.inputPreview),
  },
  {
    id: 'output',
    header: 'Output',
    width: 190,
    grows: true,
    cell: (row) => preview(row.outputPreview),
  },
]
const latency: Column<Row> = {
  id: 'latency',
  header: 'Latency',
  width: 90,
  align: 'end',
  sortable: true,
  cell: (row) => seconds(row.latency),
}
const tokens: Column<Row> = {
  id: 'totalTokens',
  header: 'Tokens',
  width: 90,
  align: 'end',
  sortable: true,
  cell: (row) => <Tokens count={row.totalTokens ?? row.usage.total} />,
}
const cost: Column<Row> = {
  id: 'totalCost',
  header: 'Cost',
  width: 96,
  align: 'end',
  sortable: true,
  cell: (row) => <Money amount={row.totalCost} />,
}
const model = (hiddenAtFirst: boolean): Column<Row> => ({
  id: 'model',
  header: 'Model',
  width: 140,
  hiddenAtFirst,
  cell: (row) => row.model,
})
const user: Column<Row> = { id: 'userId', header: 'User', width: 120, cell: (row) => row.userId }
const session: Column<Row> = {
  id: 'sessionId',
  header: 'Session',
  width: 130,
  cell: (row) => row.sessionId,
}
const tags: Column<Row> = {
  id: 'tags',
  header: 'Tags',
  width: 150,
  cell: (row) => <Tags tags={row.tags} />,
}

const further: Column<Row>[] = [
  { id: 'status', header: 'Status message', width: 220, cell: (row) => preview(row.statusMessage) },
  {
    id: 'ttft',
    header: 'First token',
    width: 100,
    align: 'end',
    cell: (row) => seconds(row.timeToFirstToken),
  },
  {
    id: 'tps',
    header: 'Tokens/s',
    width: 90,
    align: 'end',
    cell: (row) => {
      const value = tokensPerSecond(row)
      return value === undefined ? null : <Tokens count={Math.round(value * 10) / 10} />
    },
  },
  {
    id: 'inputTokens',
    header: 'Input tokens',
    width: 110,
    align: 'end',
    cell: (row) => <Tokens count={row.usage.input} />,
  },
  {
    id: 'outputTokens',
    header: 'Output tokens',
    width: 120,
    align: 'end',
    cell: (row) => <Tokens count={row.usage.output} />,
  },
  {
    id: 'prompt',
    header: 'Prompt',
    width: 160,
    cell: (row) =>
      row.promptName !== null &&
      (row.promptVersion === null ? row.promptName : `${row.promptName} v${row.promptVersion}`),
  },
  { id: 'environment', header: 'Environment', width: 120, cell: (row) => row.environment },
  { id: 'version', header: 'Version', width: 110, cell: (row) => row.version },
  { id: 'release', header: 'Release', width: 110, cell: (row) => row.release },
  { id: 'endTime', header: 'End', width: 104, cell: (row) => <Time at={row.endTime} /> },
  {
    id: 'startAt',
    header: 'Start, exact',
    width: 150,
    cell: (row) => <Time at={row.startTime} absolute />,
  },
  { id: 'traceId', header: 'Trace id', width: 160, cell: (row) => mono(row.traceId) },
  { id: 'id', header: 'Observation id', width: 160, cell: (row) => mono(row.id) },
  { id: 'parent', header: 'Parent id', width: 160, cell: (row) => mono(row.parentObservationId) },
  {
    id: 'scores',
    header: 'Scores',
    width: 220,
    cell: (row) => (
      <span className="flex gap-1">
        {Object.entries(row.scores).map(([each, value]) => (
          <Badge key={each}>{`${each} ${formatScore(value) ?? '–'}`}</Badge>
        ))}
      </span>
    ),
  },
]

function mono(id: string | null) {
  return id !== null && <span className="font-mono text-sm">{id}</span>
}

const hidden = (columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ ...column, hiddenAtFirst: true }))

/** The default columns of traces, and all others that can be shown. */
const traceColumns: Column<Row>[] = [
  start,
  name('traces'),
  {
    id: 'errors',
    header: 'Errors',
    width: 108,
    cell: (row) =>
      row.errors ? <ErrorCount count={row.errors} /> : <LevelBadge level={row.level} />,
  },
  ...io,
  latency,
  {
    id: 'observations',
    header: 'Observations',
    width: 70,
    align: 'end',
    cell: (row) => <Tokens count={row.observations} />,
  },
  tokens,
  cost,
  user,
  session,
  tags,
  { ...type, hiddenAtFirst: true },
  model(true),
  ...hidden(further),
]

const observationColumns: Column<Row>[] = [
  start,
  type,
  name('observations'),
  { id: 'level', header: 'Level', width: 108, cell: (row) => <LevelBadge level={row.level} /> },
  ...io,
  model(false),
  latency,
  tokens,
  cost,
  { id: 'traceName', header: 'Trace', width: 160, cell: (row) => row.traceName },
  { ...user, hiddenAtFirst: true },
  { ...session, hiddenAtFirst: true },
  { ...tags, hiddenAtFirst: true },
  ...hidden(further),
]

/** The columns of a table, with one for each of these metadata keys and score names. */
export function columnsOf(
  table: Table,
  metadataKeys: readonly string[],
  scoreNames: readonly string[],
): Column<Row>[] {
  return [
    ...(table === 'traces' ? traceColumns : observationColumns),
    ...metadataKeys.map((key): Column<Row> => ({
      id: dynamicId('metadata', key),
      header: key,
      group: 'Metadata',
      width: 150,
      hiddenAtFirst: true,
      cell: (row) => preview(row.metadata[key] ?? null),
    })),
    ...scoreNames.map((each): Column<Row> => ({
      id: dynamicId('scores', each),
      header: each,
      group: 'Scores',
      width: 120,
      hiddenAtFirst: true,
      cell: (row) => formatScore(row.scores[each]),
    })),
  ]
}

import { Link } from '@tanstack/react-router'
import { Bookmark, Globe, MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, formatScore } from '@/shared/lib/format'
import {
  countColumn,
  durationColumn,
  dynamicId,
  idColumn,
  moneyColumn,
  timeColumn,
  type Column,
} from '@/shared/table'
import {
  Badge,
  ErrorCount,
  LevelBadge,
  linkClass,
  MiddleCut,
  ObservationType,
  Time,
  Tokens,
} from '@/shared/ui'
import { nameOf, tokensPerSecond, type Row } from '../model/rows'
import type { Table } from '../model/view'
import { FoundCell } from './FoundCell'
import { Tags } from './Tags'

/** What a cell can be filtered by: a value, unless it is empty or may have been cut. */
const by = (column: string, of: (row: Row) => string | null | undefined) => (row: Row) => {
  const value = of(row)
  return value === null || value === undefined || value === '' || value.length > longestValue
    ? []
    : [{ column, value }]
}
const longestValue = 200

const preview = (text: string | null) => text !== null && <span title={text}>{text}</span>

const start = timeColumn('startTime', 'Start', (row: Row) => row.startTime, {
  width: 94,
  sortable: true,
})
const type: Column<Row> = {
  id: 'type',
  header: 'Type',
  width: 116,
  filterValues: by('type', (row) => row.type),
  cell: (row) => <ObservationType type={row.type} />,
}
const name = (table: Table): Column<Row> => ({
  id: 'name',
  header: 'Name',
  width: table === 'traces' ? 124 : 170,
  required: true,
  filterValues: (row) =>
    table === 'traces' && row.traceName
      ? by('traceName', () => row.traceName)(row)
      : by('name', () => row.name)(row),
  cell: (row) => <span title={nameOf(table, row)}>{nameOf(table, row)}</span>,
})
const text = (
  id: string,
  header: string,
  width: number,
  of: (row: Row) => string | null,
): Column<Row> => ({
  id,
  header,
  width,
  grows: true,
  cell: (row) => preview(of(row)),
})
const figures: Column<Row>[] = [
  countColumn('totalTokens', 'Tokens', (row) => row.totalTokens ?? row.usage.total, {
    width: 82,
    sortable: true,
  }),
  moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { width: 92, sortable: true }),
]
const latency = durationColumn('latency', 'Latency', (row: Row) => row.latency, {
  width: 86,
  sortable: true,
})
const io = (width: number) => [
  text('input', 'Input', width, (row) => row.inputPreview),
  text('output', 'Output', width, (row) => row.outputPreview),
]
const model = (hiddenAtFirst: boolean): Column<Row> => ({
  id: 'model',
  header: 'Model',
  width: 140,
  hiddenAtFirst,
  filterValues: by('model', (row) => row.model),
  cell: (row) => row.model,
})
const user = (projectId: string): Column<Row> => ({
  id: 'userId',
  header: 'User',
  width: 124,
  hasControls: true,
  filterValues: by('userId', (row) => row.userId),
  cell: (row) =>
    row.userId && (
      <Link
        to="/project/$projectId/users/$userId"
        params={{ projectId, userId: row.userId }}
        title={row.userId}
        tabIndex={-1}
        className={linkClass}
      >
        <MiddleCut text={row.userId} />
      </Link>
    ),
})
const session = (projectId: string): Column<Row> => ({
  id: 'sessionId',
  header: 'Session',
  width: 130,
  hasControls: true,
  filterValues: by('sessionId', (row) => row.sessionId),
  cell: (row) =>
    row.sessionId && (
      <Link
        to="/project/$projectId/sessions/$sessionId"
        params={{ projectId, sessionId: row.sessionId }}
        title={row.sessionId}
        tabIndex={-1}
        className={linkClass}
      >
        <MiddleCut text={row.sessionId} />
      </Link>
    ),
})
const tags: Column<Row> = {
  id: 'tags',
  header: 'Tags',
  width: 150,
  filterValues: (row) => row.tags.map((value) => ({ column: 'tags', value })),
  cell: (row) => <Tags tags={row.tags} />,
}

const further: Column<Row>[] = [
  {
    id: 'status',
    header: 'Status message',
    width: 220,
    filterValues: by('statusMessage', (row) => row.statusMessage),
    cell: (row) => preview(row.statusMessage),
  },
  durationColumn('ttft', 'First token', (row) => row.timeToFirstToken, { width: 100 }),
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
  countColumn('inputTokens', 'Input tokens', (row) => row.usage.input, { width: 110 }),
  countColumn('outputTokens', 'Output tokens', (row) => row.usage.output, { width: 120 }),
  {
    id: 'prompt',
    header: 'Prompt',
    width: 160,
    filterValues: by('promptName', (row) => row.promptName),
    cell: (row) =>
      row.promptName !== null &&
      (row.promptVersion === null ? row.promptName : `${row.promptName} v${row.promptVersion}`),
  },
  {
    id: 'environment',
    header: 'Environment',
    width: 120,
    filterValues: by('environment', (row) => row.environment),
    cell: (row) => row.environment,
  },
  {
    id: 'version',
    header: 'Version',
    width: 110,
    filterValues: by('version', (row) => row.version),
    cell: (row) => row.version,
  },
  {
    id: 'release',
    header: 'Release',
    width: 110,
    filterValues: by('release', (row) => row.release),
    cell: (row) => row.release,
  },
  timeColumn('endTime', 'End', (row) => row.endTime),
  {
    id: 'startAt',
    header: 'Start, exact',
    width: 150,
    cell: (row) => <Time at={row.startTime} absolute />,
  },
  idColumn('traceId', 'Trace id', (row) => row.traceId, {
    filterValues: by('traceId', (row) => row.traceId),
  }),
  idColumn('id', 'Observation id', (row) => row.id),
  idColumn('parent', 'Parent id', (row) => row.parentObservationId),
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

const sign = (icon: ReactNode, about: string, count?: number) => (
  <span
    title={about}
    className="tabular inline-flex items-center gap-1 align-middle text-text-2 [&_svg]:size-3.5"
  >
    {icon}
    {count !== undefined && <span aria-hidden>{count}</span>}
    <span className="sr-only">{about}</span>
  </span>
)

/** What people did with a trace. */
const marks: Column<Row>[] = [
  {
    id: 'bookmarked',
    header: 'Bookmarked',
    width: 114,
    filterValues: by('bookmarked', (row) => String(row.bookmarked)),
    cell: (row) => row.bookmarked && sign(<Bookmark aria-hidden />, 'Bookmarked'),
  },
  {
    id: 'published',
    header: 'Published',
    width: 86,
    filterValues: by('public', (row) => String(row.public ?? false)),
    cell: (row) => row.public && sign(<Globe aria-hidden />, 'Published'),
  },
  {
    id: 'comments',
    header: 'Comments',
    width: 86,
    filterValues: by('commentCount', (row) => String(row.comments ?? 0)),
    cell: (row) =>
      row.comments
        ? sign(<MessageSquare aria-hidden />, countOf(row.comments, 'comment'), row.comments)
        : null,
  },
]

const hidden = (columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ ...column, hiddenAtFirst: true }))

/**
 * The default columns of traces, and all others that can be shown. What most people look for fits beside the facets on
 * a screen of 1440 pixels; the rest is reached by scrolling sideways.
 */
const traceColumns = (projectId: string): Column<Row>[] => [
  start,
  name('traces'),
  {
    id: 'errors',
    header: 'Errors',
    width: 102,
    filterValues: by('level', (row) => (row.errors ? 'ERROR' : row.level)),
    cell: (row) =>
      row.errors ? <ErrorCount count={row.errors} /> : <LevelBadge level={row.level} />,
  },
  ...io(125),
  latency,
  ...figures,
  user(projectId),
  countColumn('observations', 'Observations', (row) => row.observations, { width: 70 }),
  session(projectId),
  tags,
  { ...type, hiddenAtFirst: true },
  model(true),
  ...hidden(marks),
  ...hidden(further),
]

const observationColumns = (projectId: string): Column<Row>[] => [
  start,
  type,
  name('observations'),
  {
    id: 'level',
    header: 'Level',
    width: 108,
    filterValues: by('level', (row) => row.level),
    cell: (row) => <LevelBadge level={row.level} />,
  },
  ...io(190),
  model(false),
  latency,
  ...figures,
  {
    id: 'traceName',
    header: 'Trace',
    width: 160,
    filterValues: by('traceName', (row) => row.traceName),
    cell: (row) => row.traceName,
  },
  { ...user(projectId), hiddenAtFirst: true },
  { ...session(projectId), hiddenAtFirst: true },
  { ...tags, hiddenAtFirst: true },
  ...hidden(further),
]

/** Where the text of a search was found, in sight on narrow screens, too. */
const found = (table: Table): Column<Row> => ({
  id: 'found',
  header: 'Found in',
  width: table === 'traces' ? 340 : 300,
  grows: true,
  cell: (row) => <FoundCell table={table} row={row} />,
})

/** The columns of a table, with one for each of these metadata keys and score names. */
export function columnsOf(
  projectId: string,
  table: Table,
  metadataKeys: readonly string[],
  scoreNames: readonly string[],
  isSearched = false,
): Column<Row>[] {
  const own = (table === 'traces' ? traceColumns : observationColumns)(projectId)
  return [
    ...own.flatMap((column) =>
      isSearched && column === start ? [column, found(table)] : [column],
    ),
    ...metadataKeys.map((key): Column<Row> => ({
      id: dynamicId('metadata', key),
      header: key,
      group: 'Metadata',
      width: 150,
      hiddenAtFirst: true,
      filterValues: by(`metadata.${key}`, (row) => row.metadata[key]),
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

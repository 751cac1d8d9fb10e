import { Link } from '@tanstack/react-router'
import { scoreText, sourceLabel, type Score } from '@/shared/scoring'
import { idColumn, timeColumn, type CellValue, type Column } from '@/shared/table'
import { Badge, linkClass } from '@/shared/ui'
import { traceOf } from '../api/useScoreList'
import { dataTypeLabel } from '../model/filter'
import { subjectPage } from '../model/points'

const subjects = {
  trace: 'Trace',
  observation: 'Observation',
  session: 'Session',
  experiment: 'Experiment',
} as const

export function scoreColumns(
  projectId: string,
  authorName: (userId: string) => string,
  traceNames: ReadonlyMap<string, string>,
): Column<Score>[] {
  return [
    timeColumn('timestamp', 'Time', (score) => score.timestamp, {
      width: 100,
      sortable: true,
    }),
    {
      id: 'name',
      header: 'Name',
      width: 160,
      required: true,
      filterValues: (score) => [{ column: 'name', value: score.name }],
      cell: (score) => <bdi title={score.name}>{score.name}</bdi>,
    },
    {
      id: 'value',
      header: 'Value',
      width: 150,
      sortable: true,
      filterValues: (score) => valueOf(score),
      cell: (score) => (
        <bdi className="tabular" title={String(score.value)}>
          {scoreText(score)}
        </bdi>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      width: 100,
      filterValues: (score) => [{ column: 'dataType', value: score.dataType }],
      cell: (score) => dataTypeLabel(score.dataType),
    },
    {
      id: 'source',
      header: 'Source',
      width: 130,
      filterValues: (score) => [{ column: 'source', value: score.source }],
      cell: (score) => <Badge>{sourceLabel(score.source)}</Badge>,
    },
    {
      id: 'subject',
      header: 'Scored',
      width: 190,
      hasControls: true,
      cell: (score) => <SubjectLink projectId={projectId} score={score} />,
    },
    {
      id: 'traceName',
      header: 'Trace',
      width: 150,
      hasControls: true,
      filterValues: (score) => {
        const traceId = traceOf(score.subject)
        return traceId === undefined ? [] : [{ column: 'traceId', value: traceId }]
      },
      cell: (score) => {
        const traceId = traceOf(score.subject)
        return (
          traceId !== undefined && (
            <Link
              to="/project/$projectId/traces/$traceId"
              params={{ projectId, traceId }}
              className={linkClass}
              title={traceId}
            >
              <bdi>{traceNames.get(traceId) || traceId.slice(0, 8)}</bdi>
            </Link>
          )
        )
      },
    },
    {
      id: 'comment',
      header: 'Comment',
      width: 220,
      grows: true,
      cell: (score) => <span title={score.comment ?? undefined}>{score.comment}</span>,
    },
    {
      id: 'author',
      header: 'Author',
      width: 130,
      filterValues: (score) =>
        score.authorUserId ? [{ column: 'authorUserId', value: score.authorUserId }] : [],
      cell: (score) => score.authorUserId && authorName(score.authorUserId),
    },
    {
      id: 'environment',
      header: 'Environment',
      width: 120,
      hiddenAtFirst: true,
      filterValues: (score) => [{ column: 'environment', value: score.environment }],
      cell: (score) => score.environment,
    },
    idColumn('id', 'Id', (score) => score.id, { width: 180, hiddenAtFirst: true }),
  ]
}

/** What a value is filtered by: numbers by themselves, categories by their text. */
function valueOf({ dataType, value }: Score): CellValue[] {
  if (typeof value === 'boolean') return [{ column: 'value', value: value ? '1' : '0' }]
  if (typeof value === 'number') return [{ column: 'value', value: String(value) }]
  return dataType === 'CATEGORICAL' ? [{ column: 'stringValue', value }] : []
}

function SubjectLink({ projectId, score }: { projectId: string; score: Score }) {
  const page = subjectPage(projectId, score.subject)
  if (!page || !score.subject) return <span className="text-text-3">–</span>
  return (
    <Link {...page} className={linkClass} title={score.subject.id}>
      {subjects[score.subject.kind]} {score.subject.id}
    </Link>
  )
}

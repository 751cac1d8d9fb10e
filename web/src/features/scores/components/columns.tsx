import { Link } from '@tanstack/react-router'
import { scoreText, sourceLabel, type Score } from '@/shared/scoring'
import { idColumn, timeColumn, type Column } from '@/shared/table'
import { Badge, linkClass } from '@/shared/ui'
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
): Column<Score>[] {
  return [
    timeColumn('timestamp', 'Time', (score) => score.timestamp, { width: 100 }),
    {
      id: 'name',
      header: 'Name',
      width: 160,
      required: true,
      cell: (score) => <bdi title={score.name}>{score.name}</bdi>,
    },
    {
      id: 'value',
      header: 'Value',
      width: 150,
      cell: (score) => (
        <bdi className="tabular" title={String(score.value)}>
          {scoreText(score)}
        </bdi>
      ),
    },
    { id: 'type', header: 'Type', width: 100, cell: (score) => dataTypeLabel(score.dataType) },
    {
      id: 'source',
      header: 'Source',
      width: 130,
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
      cell: (score) => score.authorUserId && authorName(score.authorUserId),
    },
    {
      id: 'environment',
      header: 'Environment',
      width: 120,
      hiddenAtFirst: true,
      cell: (score) => score.environment,
    },
    idColumn('id', 'Id', (score) => score.id, { width: 180, hiddenAtFirst: true }),
  ]
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

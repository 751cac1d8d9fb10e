import { useNavigate } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useOrganization } from '@/shared/currentUser'
import { QueryTable, QueryView } from '@/shared/errors'
import { formatBytes } from '@/shared/lib/format'
import { countColumn, type Column } from '@/shared/table'
import { EmptyState, PageHeader, Section, Time } from '@/shared/ui'
import { useOrganizationUsage, type ProjectStorage } from './api/useUsage'
import { LimitTable } from './components/LimitTable'

const bytesColumn = (
  id: string,
  header: string,
  value: (project: ProjectStorage) => number,
): Column<ProjectStorage> => ({
  id,
  header,
  width: 90,
  align: 'end',
  sortable: true,
  value,
  cell: (project) => formatBytes(value(project)),
})

const columns: Column<ProjectStorage>[] = [
  {
    id: 'name',
    header: 'Project',
    width: 160,
    grows: true,
    required: true,
    sortable: true,
    value: (project) => project.name,
    cell: (project) => project.name,
  },
  bytesColumn('bytes', 'On disk', (project) => project.bytes),
  countColumn('rows', 'Observations and scores', (project) => project.rows, {
    width: 180,
    sortable: true,
  }),
  bytesColumn('media', 'Media', (project) => project.mediaBytes),
  {
    id: 'oldest',
    header: 'Oldest day',
    width: 104,
    sortable: true,
    value: (project) => project.oldestDay,
    cell: (project) => project.oldestDay,
  },
  {
    id: 'retention',
    header: 'Keeps data',
    width: 110,
    sortable: true,
    value: (project) => project.retentionDays || Number.MAX_SAFE_INTEGER,
    cell: (project) => (project.retentionDays === 0 ? 'Forever' : `${project.retentionDays} days`),
  },
]

/** What the projects of an organization store, and how much may be sent to them. */
export function OrganizationUsagePage() {
  const { organization } = useOrganization()
  const usage = useOrganizationUsage(organization.id)
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Usage"
        description="What the projects that you can read store, and how much may be sent to all of them."
      />
      <Section
        title="Storage"
        description={
          usage.data ? (
            <>
              Measured <Time at={usage.data.measuredAt} />; it is measured again every ten minutes.
            </>
          ) : undefined
        }
      >
        <QueryTable
          label="Storage of projects"
          what="the usage"
          columns={columns}
          query={usage}
          rows={usage.data?.projects}
          rowId={(project) => project.id}
          onOpen={(project) =>
            void navigate({
              to: '/project/$projectId/settings/usage',
              params: { projectId: project.id },
            })
          }
          empty={
            <EmptyState icon={<HardDrive aria-hidden />} title="No projects that you can read" />
          }
        />
      </Section>
      <Section
        title="Limits of the organization"
        description="All projects together have to stay within these. The operator of the instance sets them."
      >
        <QueryView query={usage} what="the limits" skeleton="h-40 w-full">
          {({ limits }) => <LimitTable label="Limits of the organization" limits={limits.limits} />}
        </QueryView>
      </Section>
    </>
  )
}

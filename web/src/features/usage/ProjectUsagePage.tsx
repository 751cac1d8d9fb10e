import { Link } from '@tanstack/react-router'
import { Gauge } from 'lucide-react'
import { useState } from 'react'
import { can as holds, useProject } from '@/shared/currentUser'
import { QueryView } from '@/shared/errors'
import { formatBytes } from '@/shared/lib/format'
import { GuardedPage } from '@/shared/roles'
import { Button, linkClass, Section } from '@/shared/ui'
import { useProjectUsage } from './api/useUsage'
import { LimitDialog } from './components/LimitDialog'
import { LimitTable } from './components/LimitTable'
import { StorageFacts } from './components/StorageFacts'

/** What a project keeps, stores and may use. */
export function ProjectUsagePage() {
  return (
    <GuardedPage
      frame="settings"
      title="Usage"
      description="What the project stores and keeps, and how much may be sent to it."
      permission="traces:read"
      doing="see the usage"
    >
      <Usage />
    </GuardedPage>
  )
}

function Usage() {
  const { project, organization } = useProject()
  const usage = useProjectUsage(project.id)
  const [isOpen, setOpen] = useState(false)
  const mayLimit = holds(organization, 'organization:update')
  return (
    <QueryView query={usage} what="the usage" skeleton="h-80 w-full">
      {({ limits, organizationLimits, storage, measuredAt }) => (
        <>
          <Section
            title="Storage"
            description="The observations, scores and media of this project, measured every ten minutes."
          >
            <StorageFacts storage={storage} measuredAt={measuredAt} />
          </Section>
          <Section title="Retention">
            <Retention bytes={storage.bytes} />
          </Section>
          <Section
            title="Limits of the project"
            description="What programs and people may send to the project and ask of it. Minutes and days are those of UTC."
          >
            <LimitTable label="Limits of the project" limits={limits.limits} />
            {mayLimit ? (
              <Button
                icon={<Gauge aria-hidden />}
                className="mt-3 self-start"
                onPress={() => setOpen(true)}
              >
                Change limits
              </Button>
            ) : (
              <p className="mt-3 text-sm text-text-3">
                Only admins of the organization can change the limits of its projects.
              </p>
            )}
            <LimitDialog
              organizationId={organization.id}
              projectId={project.id}
              limits={limits.limits}
              isOpen={isOpen}
              onClose={() => setOpen(false)}
            />
          </Section>
          <Section
            title="Limits of the organization"
            description="All projects of the organization together have to stay within these. The operator of the instance sets them."
          >
            <LimitTable label="Limits of the organization" limits={organizationLimits.limits} />
          </Section>
        </>
      )}
    </QueryView>
  )
}

function Retention({ bytes }: { bytes: number }) {
  const { project, can } = useProject()
  const { retentionDays: days, maxDataBytes: most } = project
  return (
    <div className="flex flex-col gap-1">
      <p>
        {days === 0
          ? 'Data is kept forever.'
          : `Data is kept for ${days} days. Older traces, observations, scores and their media are deleted within an hour.`}
      </p>
      <p>
        {most === 0
          ? 'The size of the data is not limited.'
          : `At most ${formatBytes(most)} of observations and scores are kept, of which ${formatBytes(bytes)} are in use. Beyond that, the oldest days are deleted within ten minutes.`}
      </p>
      {(days > 0 || most > 0) && (
        <p className="text-text-2">Daily totals of deleted data are kept.</p>
      )}
      {can('project:update') && (
        <p>
          <Link
            to="/project/$projectId/settings"
            params={{ projectId: project.id }}
            className={linkClass}
          >
            Change the retention
          </Link>
        </p>
      )}
    </div>
  )
}

import { Play } from 'lucide-react'
import { useProject } from '@/features/session'
import { countOf, formatBytes } from '@/lib/format'
import { Badge, Button, Callout, Facts, Time, toast } from '@/ui'
import { useRunBlobStorage, type BlobStorage } from './api/useBlobStorage'
import { describeStatus, failureTitle } from './model/status'

/** The status of the exports, and a button to run one now. */
export function BlobStatus({ stored }: { stored: BlobStorage }) {
  const { project, can } = useProject()
  const run = useRunBlobStorage(project.id)
  const { label, tone } = describeStatus(stored.syncStatus)
  const { progress } = stored
  return (
    <section aria-label="Status" className="flex max-w-3xl flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Facts
          facts={[
            { label: 'Status', value: <Badge tone={tone}>{label}</Badge> },
            { label: 'Exported up to', value: <Time at={stored.lastSyncAt} absolute /> },
            {
              label: 'Next run',
              value: <Time at={stored.enabled ? stored.nextSyncAt : null} absolute />,
            },
            ...(progress === null
              ? []
              : [
                  {
                    label: 'This run',
                    value: `${countOf(progress.rows, 'row')}, ${formatBytes(progress.bytes)}`,
                  },
                ]),
          ]}
        />
        {stored.enabled && can('integrations:write') && (
          <Button
            icon={<Play aria-hidden />}
            isPending={run.isPending}
            onPress={() =>
              run.mutate(undefined, {
                onSuccess: () => toast('The export will run in a moment'),
                onError: (error) => toast(error.message),
              })
            }
          >
            Run now
          </Button>
        )}
      </div>
      {stored.lastError !== null && (
        <Callout tone="danger" title={failureTitle(stored)}>
          {stored.lastError}
        </Callout>
      )}
    </section>
  )
}

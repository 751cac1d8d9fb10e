import { Play } from 'lucide-react'
import { useState } from 'react'
import { ConfirmChange } from '@/shared/forms'
import { useProject } from '@/shared/currentUser'
import { countOf, formatBytes } from '@/shared/lib/format'
import { Badge, Button, Callout, Facts, Time, toast } from '@/shared/ui'
import {
  useRunBlobStorage,
  useTakeOverBlobStorage,
  useTestBlobStorage,
  type BlobStorage,
} from './api/useBlobStorage'
import { describeStatus, failureTitle } from './model/status'

/** The status of the exports, with buttons to run one now and to test the storage. */
export function BlobStatus({ stored }: { stored: BlobStorage }) {
  const { project, can } = useProject()
  const run = useRunBlobStorage(project.id)
  const test = useTestBlobStorage(project.id)
  const takeOver = useTakeOverBlobStorage()
  const [isTakingOver, setTakingOver] = useState(false)
  const { label, tone } = describeStatus(stored)
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
        {can('integrations:write') && (
          <div className="flex flex-wrap gap-2">
            <Button
              isPending={test.isPending}
              onPress={() => {
                takeOver.reset()
                test.mutate()
              }}
            >
              Test connection
            </Button>
            <Button
              onPress={() => {
                test.reset()
                setTakingOver(true)
              }}
            >
              Take over
            </Button>
            {stored.enabled && (
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
        )}
      </div>
      {test.error !== null && <Callout tone="danger">{test.error.message}</Callout>}
      {test.data !== undefined && (
        <Callout
          tone={test.data.ok ? 'success' : 'danger'}
          title={`Test of ${stored.bucketName}, with the saved settings`}
        >
          {test.data.message}
        </Callout>
      )}
      {takeOver.data !== undefined && (
        <Callout tone={takeOver.data.ok ? 'success' : 'danger'}>
          {takeOver.data.message}
          {takeOver.data.ok && !stored.enabled && ' Enable the export and save it.'}
        </Callout>
      )}
      <ConfirmChange
        title="Take over the bucket?"
        action="Take over"
        change={takeOver}
        variables={isTakingOver ? project.id : undefined}
        onClose={() => setTakingOver(false)}
        onDone={() => undefined}
      >
        Use this only if the installation that exported to this bucket and prefix before will never
        export again: each would overwrite the files of the other. If the export is not enabled,
        enable and save it afterwards.
      </ConfirmChange>
      {stored.lastError !== null && (
        <Callout tone="danger" title={failureTitle(stored)}>
          {stored.lastError}
        </Callout>
      )}
    </section>
  )
}

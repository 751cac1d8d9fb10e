import { cx } from '@/shared/lib/cx'
import { Badge, Dialog, Time, type Tone } from '@/shared/ui'
import type { AuditEntry } from '../api/useAuditLog'
import { differences, type Difference } from '../model/diff'
import { describeActor, describeResource } from '../model/entry'

const looks: Record<Difference['kind'], { sign: string; row: string }> = {
  added: { sign: '+ added', row: 'bg-success-soft' },
  removed: { sign: '− removed', row: 'bg-danger-soft' },
  changed: { sign: '~ changed', row: 'bg-warning-soft' },
  same: { sign: '', row: 'text-text-3' },
}

export const actionTones: Record<string, Tone> = {
  create: 'success',
  update: 'warning',
  delete: 'danger',
}

type EntryDialogProps = {
  entry: AuditEntry | undefined
  onClose: () => void
}

/** An entry of the audit log: who, from where, and the values before and after. */
export function EntryDialog({ entry, onClose }: EntryDialogProps) {
  return (
    <Dialog
      title={entry ? `${describeResource(entry.resourceType)}: ${entry.action}` : ''}
      isOpen={entry !== undefined}
      onClose={onClose}
      size="lg"
    >
      {entry && (
        <div className="flex flex-col gap-4">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 [&>dd]:min-w-0 [&>dd]:break-words [&>dt]:text-text-3">
            <dt>When</dt>
            <dd>
              <Time at={entry.timestamp} absolute />
            </dd>
            <dt>Who</dt>
            <dd>{describeActor(entry.actor)}</dd>
            <dt>Id</dt>
            <dd>
              <code className="font-mono text-sm break-all">{entry.resourceId}</code>
            </dd>
            {entry.address !== null && (
              <>
                <dt>Address</dt>
                <dd>{entry.address}</dd>
              </>
            )}
            {entry.client !== null && (
              <>
                <dt>Client</dt>
                <dd>{entry.client}</dd>
              </>
            )}
            {entry.requestId !== null && (
              <>
                <dt>Request</dt>
                <dd>
                  <code className="font-mono text-sm break-all">{entry.requestId}</code>
                </dd>
              </>
            )}
          </dl>
          <Differences entry={entry} />
        </div>
      )}
    </Dialog>
  )
}

function Differences({ entry }: { entry: AuditEntry }) {
  const list = differences(entry.before, entry.after)
  if (list.length === 0) {
    return (
      <p className="text-text-3">
        <Badge tone={actionTones[entry.action]}>{entry.action}</Badge> Nothing more was recorded.
      </p>
    )
  }
  return (
    <div className="overflow-x-auto rounded-md border border-border">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">Before and after</caption>
        <thead className="bg-surface-1 text-text-3">
          <tr className="[&>th]:px-2 [&>th]:py-1 [&>th]:font-medium">
            <th scope="col">Value</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">
              <span className="sr-only">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((each) => (
            <tr
              key={each.path}
              className={cx(
                'border-t border-border align-top [&>*]:px-2 [&>*]:py-1',
                looks[each.kind].row,
              )}
            >
              <th scope="row" className="font-normal whitespace-nowrap">
                {each.path}
              </th>
              <td className="font-mono break-all whitespace-pre-wrap">{each.before}</td>
              <td className="font-mono break-all whitespace-pre-wrap">{each.after}</td>
              <td className="whitespace-nowrap">{looks[each.kind].sign}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

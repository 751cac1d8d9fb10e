import { KeyRound, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { QueryTable } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { actionsColumn, timeColumn, upcomingColumn } from '@/shared/table'
import { Badge, CopyButton, EmptyState, IconButton, Identifier, Time, toast } from '@/shared/ui'
import { useKeys, useRevokeKey, type Key, type KeyOwner } from '../api/useKeys'
import { isExpired } from '../model/expiry'
import { describePermissions } from '../model/permissions'

type KeyTableProps = {
  owner: KeyOwner
  mayRevoke: boolean
  /** An action to offer when there are no keys. */
  emptyAction?: ReactNode
}

/** The keys of a project or an organization, each with a button to revoke it. */
export function KeyTable({ owner, mayRevoke, emptyAction }: KeyTableProps) {
  const keys = useKeys(owner)
  const revoke = useRevokeKey(owner)
  const [revoked, setRevoked] = useState<Key>()
  const mayBeLimited = owner.kind === 'project'
  return (
    <>
      <QueryTable<Key>
        label="API keys"
        what="the keys"
        query={keys}
        rows={keys.data}
        rowId={(key) => key.id}
        columns={[
          {
            id: 'note',
            header: 'Note',
            width: 160,
            grows: true,
            sortable: true,
            value: (key) => key.note,
            cell: (key) => key.note || <span className="text-text-3">No note</span>,
          },
          {
            id: 'publicKey',
            header: 'Public key',
            width: 210,
            required: true,
            cell: (key) => (
              <span className="flex items-center gap-1">
                <Identifier id={key.publicKey} />
                <CopyButton text={key.publicKey} label="Copy public key" />
              </span>
            ),
          },
          {
            id: 'secretKey',
            header: 'Secret key',
            width: 110,
            cell: (key) => (
              <code className="font-mono text-sm text-text-3">{key.displaySecretKey}</code>
            ),
          },
          mayBeLimited && {
            id: 'permissions',
            header: 'Permissions',
            width: 110,
            cell: (key) => (
              <span title={key.permissions?.join(', ')}>
                {describePermissions(key.permissions)}
              </span>
            ),
          },
          timeColumn('lastUsed', 'Last used', (key) => key.lastUsedAt, {
            width: 90,
            sortable: true,
            cell: (key) => <Time at={key.lastUsedAt} fallback="Never" />,
          }),
          timeColumn('created', 'Created', (key) => key.createdAt, { width: 90, sortable: true }),
          upcomingColumn('expires', 'Expires', (key) => key.expiresAt, {
            width: 80,
            sortable: true,
            cell: (key) =>
              isExpired(key.expiresAt) ? (
                <Badge tone="danger">Expired</Badge>
              ) : (
                <Time at={key.expiresAt} upcoming fallback="Never" />
              ),
          }),
          mayRevoke &&
            actionsColumn((key) => (
              <IconButton
                size="sm"
                label={`Revoke ${key.note || key.publicKey}`}
                icon={<Trash2 aria-hidden />}
                onPress={() => setRevoked(key)}
              />
            )),
        ]}
        empty={
          <EmptyState icon={<KeyRound aria-hidden />} title="No API keys" action={emptyAction}>
            Applications send traces and read prompts with a key.
          </EmptyState>
        }
      />
      <ConfirmChange
        title="Revoke this key?"
        action="Revoke key"
        change={revoke}
        variables={revoked?.id}
        onClose={() => setRevoked(undefined)}
        onDone={() => toast('Key revoked')}
      >
        <p>
          Requests with <span className="font-medium text-text-1">{revoked?.note}</span>{' '}
          <code className="font-mono text-sm break-all text-text-1">{revoked?.publicKey}</code> will
          be rejected from now on. This cannot be undone.
        </p>
      </ConfirmChange>
    </>
  )
}

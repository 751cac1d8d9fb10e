import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Forbidden, NeedsRole, type Role } from '@/shared/roles'
import { Button, PageHeader } from '@/shared/ui'
import type { KeyOwner } from '../api/useKeys'
import { KeyTable } from './KeyTable'
import { NewKeyDialog } from './NewKeyDialog'

type KeysPageProps = {
  owner: KeyOwner
  role: Role
  can: (permission: string) => boolean
  description: ReactNode
}

export function KeysPage({ owner, role, can, description }: KeysPageProps) {
  const [isOpen, setOpen] = useState(false)
  const button = can('keys:write') && (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen(true)}>
      New key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        description={description}
        actions={
          button ||
          (can('keys:read') && (
            <NeedsRole doing="create keys" permission="keys:write" level={owner.kind} />
          ))
        }
      />
      {can('keys:read') ? (
        <KeyTable owner={owner} mayRevoke={can('keys:write')} emptyAction={button} />
      ) : (
        <Forbidden doing="see the API keys" permission="keys:read" level={owner.kind} role={role} />
      )}
      <NewKeyDialog owner={owner} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

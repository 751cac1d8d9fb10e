import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { useAccess } from '@/shared/currentUser'
import { Button } from '@/shared/ui'
import type { KeyOwner } from '../api/useKeys'
import { KeyTable } from './KeyTable'
import { NewKeyDialog } from './NewKeyDialog'

export function KeysPage({ owner, description }: { owner: KeyOwner; description: ReactNode }) {
  const { can } = useAccess()
  const [isOpen, setOpen] = useState(false)
  const button = (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen(true)}>
      New key
    </Button>
  )
  return (
    <GuardedPage
      frame="settings"
      title="API keys"
      description={description}
      permission="keys:read"
      doing="see the API keys"
      actions={
        <NeedsRole doing="create keys" permission="keys:write">
          {button}
        </NeedsRole>
      }
    >
      <KeyTable
        owner={owner}
        mayRevoke={can('keys:write')}
        emptyAction={can('keys:write') && button}
      />
      <NewKeyDialog owner={owner} isOpen={isOpen} onClose={() => setOpen(false)} />
    </GuardedPage>
  )
}

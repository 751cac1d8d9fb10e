import { LogOut } from 'lucide-react'
import { QueryTable, toastFailure } from '@/shared/errors'
import { useSignOut } from '@/shared/currentUser'
import { actionsColumn, timeColumn, upcomingColumn } from '@/shared/table'
import { Badge, EmptyState, IconButton, toast } from '@/shared/ui'
import { useEndSignIn, useSignIns, type SignIn } from '../api/useAccount'
import { describeClient } from '../model/client'

/** The user's sessions, each with a button that ends it. */
export function SignIns() {
  const signIns = useSignIns()
  const end = useEndSignIn()
  const signOut = useSignOut()
  const endOne = (signIn: SignIn) => {
    if (signIn.current) {
      signOut.mutate()
      return
    }
    end.mutate(
      { sessionId: signIn.id },
      {
        onSuccess: () => toast('Session signed out'),
        onError: toastFailure('The session could not be ended'),
      },
    )
  }
  return (
    <QueryTable<SignIn>
      label="Sessions"
      what="the sessions"
      query={signIns}
      rows={signIns.data}
      rowId={(signIn) => signIn.id}
      maxHeight={320}
      columns={[
        {
          id: 'client',
          header: 'Browser',
          width: 200,
          grows: true,
          required: true,
          cell: (signIn) => (
            <span className="flex items-center gap-2" title={signIn.client}>
              <span className="truncate">{describeClient(signIn.client)}</span>
              {signIn.current && <Badge tone="success">This device</Badge>}
            </span>
          ),
        },
        { id: 'address', header: 'Address', width: 140, cell: (signIn) => signIn.address },
        timeColumn('lastSeen', 'Last seen', (signIn) => signIn.lastSeenAt, { width: 100 }),
        timeColumn('created', 'Signed in', (signIn) => signIn.createdAt, { width: 100 }),
        upcomingColumn('expires', 'Expires', (signIn) => signIn.expiresAt, { width: 100 }),
        actionsColumn((signIn) => (
          <IconButton
            size="sm"
            label={signIn.current ? 'Sign out here' : `Sign out ${describeClient(signIn.client)}`}
            icon={<LogOut aria-hidden />}
            onPress={() => endOne(signIn)}
          />
        )),
      ]}
      empty={<EmptyState title="No sessions" />}
    />
  )
}

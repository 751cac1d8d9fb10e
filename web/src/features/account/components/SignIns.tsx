import { LogOut } from 'lucide-react'
import { LoadError, toastFailure } from '@/shared/errors'
import { useSignOut } from '@/shared/currentUser'
import { actionsColumn, DataTable, useTableState, type Column } from '@/shared/table'
import { Badge, EmptyState, IconButton, Time, toast } from '@/shared/ui'
import { useEndSignIn, useSignIns, type SignIn } from '../api/useAccount'
import { describeClient } from '../model/client'

/** The user's sessions, each with a button that ends it. */
export function SignIns() {
  const signIns = useSignIns()
  const end = useEndSignIn()
  const signOut = useSignOut()
  const [state, setState] = useTableState()
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
  const columns: Column<SignIn>[] = [
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
    {
      id: 'lastSeen',
      header: 'Last seen',
      width: 100,
      cell: (signIn) => <Time at={signIn.lastSeenAt} />,
    },
    {
      id: 'created',
      header: 'Signed in',
      width: 100,
      cell: (signIn) => <Time at={signIn.createdAt} />,
    },
    {
      id: 'expires',
      header: 'Expires',
      width: 100,
      cell: (signIn) => <Time at={signIn.expiresAt} />,
    },
    actionsColumn((signIn) => (
      <IconButton
        size="sm"
        label={signIn.current ? 'Sign out here' : `Sign out ${describeClient(signIn.client)}`}
        icon={<LogOut aria-hidden />}
        onPress={() => endOne(signIn)}
      />
    )),
  ]
  return (
    <DataTable
      label="Sessions"
      columns={columns}
      rows={signIns.data}
      rowId={(signIn) => signIn.id}
      state={state}
      onStateChange={setState}
      maxHeight={320}
      error={signIns.isError && <LoadError title="Couldn’t load the sessions" query={signIns} />}
      empty={<EmptyState title="No sessions" />}
    />
  )
}

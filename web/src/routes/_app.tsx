import { createFileRoute, Navigate, Outlet, redirect, useLocation } from '@tanstack/react-router'
import { Shell } from '@/app'
import { sessionQuery, useSession } from '@/features/session'

/** Everything behind sign-in. Who is signed out comes back to the exact address, its fragment included. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData({
      ...sessionQuery,
      revalidateIfStale: true,
    })
    if (!session.user) throw redirect({ to: '/auth/sign-in', search: { returnTo: location.href } })
  },
  component: SignedIn,
})

function SignedIn() {
  const { user } = useSession()
  const { href } = useLocation()
  // The session may end while a page is open: it expires, or is ended elsewhere.
  if (!user) return <Navigate to="/auth/sign-in" search={{ returnTo: href }} replace />
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}

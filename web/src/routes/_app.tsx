import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { Shell } from '@/app'
import { sessionQuery } from '@/features/session'

/** Everything behind sign-in. Who is signed out comes back to the exact address, its fragment included. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData({
      ...sessionQuery,
      revalidateIfStale: true,
    })
    if (!session.user) throw redirect({ to: '/auth/sign-in', search: { returnTo: location.href } })
  },
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})

import { createFileRoute, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Shell } from '@/app'
import { isPublished, Published, traceAt } from '@/features/publicTrace'
import { sessionQuery, ShownSession, useSession } from '@/shared/currentUser'

/**
 * Everything behind sign-in except published traces. A signed-out user returns to the exact URL after sign-in,
 * including its fragment.
 */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData({
      ...sessionQuery,
      revalidateIfStale: true,
    })
    if (session.user) return
    const trace = traceAt(location.pathname)
    if (trace && (await isPublished(context.queryClient, trace))) return
    throw redirect({ to: '/auth/sign-in', search: { returnTo: location.href } })
  },
  component: SignedIn,
})

function SignedIn() {
  const session = useSession()
  // The session may end while a page is open: it expires, or is ended elsewhere.
  if (!session.user) return <Published otherwise={<SignInAgain />} />
  return (
    <ShownSession value={session}>
      <Shell>
        <Outlet />
      </Shell>
    </ShownSession>
  )
}

function SignInAgain() {
  const router = useRouter()
  // Only once: the URL changes while this is still shown, and must not become part of itself.
  useEffect(() => {
    const returnTo = router.state.location.href
    if (returnTo.startsWith('/auth/')) return // a user who signed out is already on the way there
    void router.navigate({ to: '/auth/sign-in', search: { returnTo }, replace: true })
  }, [router])
  return null
}

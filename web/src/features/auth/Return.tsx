import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { basePath, safeReturnPath } from '@/shared/lib/url'

/** Returns people to the page they wanted before sign-in, however they came to be signed in. */
export function Return({ to }: { to: string }) {
  const router = useRouter()
  // The address is outside React. It is written verbatim, so that its search and fragment are kept.
  useEffect(() => router.history.replace(basePath + safeReturnPath(to)), [router, to])
  return null
}

import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { basePath, safeReturnPath } from '@/lib/url'

/** Goes to where somebody wanted to go before they signed in, however it came that they are signed in now. */
export function Return({ to }: { to: string }) {
  const router = useRouter()
  // The address is outside React. It is written as it is, so that its search and fragment stay as they were.
  useEffect(() => router.history.replace(basePath + safeReturnPath(to)), [router, to])
  return null
}

import { useRouter } from '@tanstack/react-router'
import { basePath, safeReturnPath } from '@/lib/url'

/** Goes to where somebody wanted to go before they signed in. */
export function useReturn(): (path: string | undefined) => void {
  const router = useRouter()
  return (path) => router.history.replace(basePath + safeReturnPath(path))
}

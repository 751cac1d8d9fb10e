import { useRouter, type LinkProps } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The address of a typed link, for elements that are no <Link>: rows of tables. */
export function useHref(): (link: LinkProps) => string {
  const router = useRouter()
  return useCallback(
    (link) => router.history.createHref(router.buildLocation(link).publicHref),
    [router],
  )
}

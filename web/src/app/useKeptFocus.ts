import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keepFocus } from '@/ui'

/** Who goes to another page by a key goes on from there: what had the focus may have been on the page before. */
export function useKeptFocus(): void {
  const router = useRouter()
  // The focus is the document's. The first page leaves it to the browser.
  useEffect(
    () => router.subscribe('onRendered', ({ fromLocation }) => fromLocation && keepFocus()),
    [router],
  )
}

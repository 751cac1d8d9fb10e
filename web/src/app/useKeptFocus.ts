import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keepFocus } from '@/shared/ui'

/**
 * After navigation, moves focus to the new page if the focused element was on the previous one, so that the keyboard
 * goes on from there.
 */
export function useKeptFocus(): void {
  const router = useRouter()
  // Focus is outside React. On the first page it is left to the browser.
  useEffect(
    () => router.subscribe('onRendered', ({ fromLocation }) => fromLocation && keepFocus()),
    [router],
  )
}

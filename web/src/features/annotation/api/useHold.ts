import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/shared/api'
import { release, renew } from './useReview'

const renewedEvery = 60_000

/**
 * Keeps an item for as long as it is looked at, and lets others have it afterwards. `isLost` is set once somebody else
 * has it; `end` says that there is nothing left to keep.
 */
export function useHold(projectId: string, queueId: string, itemId: string) {
  const [isLost, setLost] = useState(false)
  const isOver = useRef(false)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The passing of time, and the end of the page, come from outside React.
  useEffect(() => {
    const keep = () => {
      // A page that nobody looks at keeps nothing from others.
      if (isOver.current || document.visibilityState === 'hidden') return
      renew(projectId, queueId, itemId).then(
        () => setLost(false),
        (error: unknown) => {
          // Whatever else goes wrong passes, or is told when the item is completed.
          if (error instanceof ApiError && error.status === 409 && !isOver.current) setLost(true)
        },
      )
    }
    const leave = () => {
      if (isOver.current) return
      release(projectId, queueId, itemId).catch(() => {
        // Then it is free when its time is over.
      })
    }
    clearTimeout(leaving.current)
    const timer = setInterval(keep, renewedEvery)
    document.addEventListener('visibilitychange', keep)
    window.addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', keep)
      window.removeEventListener('pagehide', leave)
      // React may show the page again at once.
      leaving.current = setTimeout(leave, 0)
    }
  }, [projectId, queueId, itemId])
  const end = useCallback(() => {
    isOver.current = true
  }, [])
  return { isLost, end }
}

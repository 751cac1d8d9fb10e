import { useSyncExternalStore } from 'react'

const tick = 30_000
/** Timers of tabs in the background run late or not at all. */
const staleAfter = 5_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function refresh(): void {
  now = Date.now()
  for (const each of listeners) each()
}

/** The time as it is when something new is shown: what has just arrived isn't as old as the last tick. */
function current(): number {
  const late = Date.now() - now
  if (late > staleAfter || late < 0) queueMicrotask(refresh)
  return now
}

/** One clock for every relative time on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    refresh()
    document.addEventListener('visibilitychange', refresh)
    timer = setInterval(refresh, tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
      document.removeEventListener('visibilitychange', refresh)
    }
  }
}

/** The current time, updated every half minute. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, current))
}

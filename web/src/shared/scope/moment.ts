import { readHistoryState } from '@/shared/lib/historyState'
import { sessionMap } from '@/shared/lib/sessionState'

/** The point in time up to which a page shows the data of a query (the key). */
export type Moment = { key: string; at: number }

/** As long as rows stay in the cache: a user who returns within this time finds the page unchanged. */
const comesBackWithin = 5 * 60_000
/** As long as a page may take from the request for its data until it is shown. */
const isShownWithin = 10_000
/** The moments of pages that are about to be shown. */
const ahead = sessionMap<string, number>()

/**
 * The moment of a page that is about to be shown. It is restored on the way back to the page, but not by a reload: that
 * asks for what there is now. What is requested before the page is rendered calls this as well, and so both agree.
 */
export function momentOf(key: string): Moment {
  const now = Date.now()
  const kept = readHistoryState<Moment>('moment')
  const isBack =
    kept?.key === key && now - kept.at < comesBackWithin && kept.at >= performance.timeOrigin
  const requested = ahead.get(key) ?? 0
  const at = isBack ? kept.at : now - requested < isShownWithin ? requested : now
  ahead.set(key, at)
  return { key, at }
}

/** To be called when the page is shown: the next one has a moment of its own. */
export function endMoment(key: string): void {
  ahead.delete(key)
}

import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import {
  formatFull,
  formatMinute,
  formatPast,
  formatRelative,
  formatWords,
} from '@/shared/lib/time'
import { useNow } from './useNow'

type TimeProps = {
  at: Date | string | null | undefined
  absolute?: boolean
  /** It may be still to come, as when something expires. Everything else has happened, whatever the clocks say. */
  upcoming?: boolean
  /** As in a sentence: "in 7 days". */
  words?: boolean
  fallback?: string
}

/**
 * A point in time: "3 min ago", or the time itself, with local and UTC time on hover. Not a tab stop, since tables are
 * full of times.
 */
export function Time({ at, absolute, upcoming, words, fallback = '–' }: TimeProps) {
  const now = useNow()
  const zone = usePreference(zonePreference)
  const moment = at instanceof Date ? at : new Date(at ?? Number.NaN)
  if (Number.isNaN(moment.getTime())) return <span className="text-text-3">{fallback}</span>
  return (
    <time
      dateTime={moment.toISOString()}
      title={`${formatFull(moment, 'local')}\n${formatFull(moment, 'utc')}`}
      className="tabular whitespace-nowrap"
    >
      {absolute
        ? formatMinute(moment, zone)
        : words
          ? formatWords(moment, now)
          : upcoming
            ? formatRelative(moment, now)
            : formatPast(moment, now, zone)}
    </time>
  )
}

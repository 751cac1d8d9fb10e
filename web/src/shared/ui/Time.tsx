import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { formatFull, formatMinute, formatRelative } from '@/shared/lib/time'
import { useNow } from './useNow'

type TimeProps = { at: Date | string | null | undefined; absolute?: boolean; fallback?: string }

/**
 * A point in time: "3 min ago", or the time itself, with local and UTC time on hover. Not a tab stop, since tables are
 * full of times.
 */
export function Time({ at, absolute, fallback = '–' }: TimeProps) {
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
      {absolute ? formatMinute(moment, zone) : formatRelative(moment, now)}
    </time>
  )
}

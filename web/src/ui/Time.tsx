import { usePreference } from '@/lib/preference'
import { zonePreference } from '@/lib/preferences'
import { formatFull, formatMinute, formatRelative } from '@/lib/time'
import { Hint } from './Hint'
import { useNow } from './useNow'

type TimeProps = { at: Date | string | null | undefined; absolute?: boolean; fallback?: string }

/** A moment: "3 min ago", or the time itself, with local and UTC time on hover. */
export function Time({ at, absolute, fallback = '–' }: TimeProps) {
  const now = useNow()
  const zone = usePreference(zonePreference)
  const moment = at instanceof Date ? at : new Date(at ?? Number.NaN)
  if (Number.isNaN(moment.getTime())) return <span className="text-text-3">{fallback}</span>
  const hint = (
    <span className="tabular block whitespace-nowrap">
      {formatFull(moment, 'local')}
      <br />
      {formatFull(moment, 'utc')}
    </span>
  )
  return (
    <Hint hint={hint} className="tabular whitespace-nowrap">
      <time dateTime={moment.toISOString()}>
        {absolute ? formatMinute(moment, zone) : formatRelative(moment, now)}
      </time>
    </Hint>
  )
}

import { CalendarDate } from '@internationalized/date'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { dateOf, parts, type Zone } from '@/shared/lib/time'
import type { TimeRange } from '@/shared/lib/timeRange'
import { RangePicker, useNow, type DayRange } from '@/shared/ui'

type CalendarRangeProps = { range: TimeRange; onChoose: (range: TimeRange) => void }

/** Whole days, in the zone that times are shown in. */
export function CalendarRange({ range, onChoose }: CalendarRangeProps) {
  const zone = usePreference(zonePreference)
  const now = useNow()
  return (
    <div className="self-center">
      <RangePicker
        label="Days"
        value={daysOf(range, zone)}
        maxValue={dayOf(now, zone)}
        onChange={({ start, end }) =>
          onChoose({
            kind: 'between',
            from: dateOf(start.year, start.month, start.day, 0, 0, zone),
            to: dateOf(end.year, end.month, end.day + 1, 0, 0, zone),
          })
        }
      />
    </div>
  )
}

function dayOf(at: Date, zone: Zone): CalendarDate {
  const { year, month, day } = parts(at, zone)
  return new CalendarDate(year, month, day)
}

function daysOf(range: TimeRange, zone: Zone): DayRange | null {
  if (range.kind !== 'between') return null
  // The end is not part of it.
  return { start: dayOf(range.from, zone), end: dayOf(new Date(range.to.getTime() - 1), zone) }
}

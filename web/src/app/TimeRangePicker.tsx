import { Calendar } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import {
  allTime,
  commonRanges,
  encodeRange,
  labelRange,
  parseTyped,
  type TimeRange,
} from '@/shared/lib/timeRange'
import { Button, Form, TextField, useNow } from '@/shared/ui'
import { readRecentRanges, rememberRange } from './recentRanges'
import { useScopeSearch, useTimeRange } from '@/shared/scope'

const CalendarRange = lazy(async () => ({
  default: (await import('./CalendarRange')).CalendarRange,
}))

/** Picks the time range of the page: a preset, a recent range, one in a calendar, or a typed one. */
export function TimeRangePicker() {
  const range = useTimeRange()
  const zone = usePreference(zonePreference)
  const [, change] = useScopeSearch()
  const [isOpen, setOpen] = useState(false)
  const choose = (next: TimeRange) => {
    rememberRange(next)
    change({ dateRange: encodeRange(next) })
    setOpen(false)
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton
        aria-label={`Time range: ${labelRange(range, zone)}`}
        className="flex h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md border border-border bg-surface-0 px-2 hover:bg-surface-2 sm:flex-none"
      >
        <Calendar aria-hidden className="size-3.5 shrink-0 text-text-3" />
        <span className="tabular truncate text-sm">{labelRange(range, zone)}</span>
      </AriaButton>
      <Popover
        placement="bottom end"
        className="z-overlay w-72 rounded-md bg-surface-0 shadow-pop outline-none"
      >
        <Dialog aria-label="Time range" className="flex flex-col gap-2 p-3 outline-none">
          <TypedRange onChoose={choose} />
          <RangeList
            title="Last"
            ranges={[...commonRanges, allTime]}
            current={range}
            onChoose={choose}
          />
          <Suspense fallback={<div className="h-64" />}>
            <CalendarRange range={range} onChoose={choose} />
          </Suspense>
          <RangeList title="Recent" ranges={readRecentRanges()} current={range} onChoose={choose} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** Mounted while the popover is open. */
function TypedRange({ onChoose }: { onChoose: (range: TimeRange) => void }) {
  const zone = usePreference(zonePreference)
  const now = useNow()
  const [text, setText] = useState('')
  const typed = parseTyped(text, now, zone)
  return (
    <Form
      className="flex flex-col gap-1"
      onSubmit={() => {
        if (typed) onChoose(typed)
      }}
    >
      <TextField
        label="Type a range"
        value={text}
        onChange={setText}
        autoFocus
        autoComplete="off"
        placeholder="3h, yesterday, last tue 9-12"
        description={
          typed
            ? labelRange(typed, zone)
            : text === ''
              ? 'Or 2026-11-01..2026-11-05'
              : 'Not a time range yet'
        }
      />
      {typed && (
        <Button type="submit" size="sm" variant="primary">
          Apply
        </Button>
      )}
    </Form>
  )
}

type RangeListProps = {
  title: string
  ranges: readonly TimeRange[]
  current: TimeRange
  onChoose: (range: TimeRange) => void
}

function RangeList({ title, ranges, current, onChoose }: RangeListProps) {
  const zone = usePreference(zonePreference)
  if (ranges.length === 0) return null
  return (
    <div>
      <p className="pb-1 text-xs text-text-3">{title}</p>
      <div className="flex flex-wrap gap-1">
        {ranges.map((each) => {
          const isCurrent = encodeRange(each) === encodeRange(current)
          return (
            <AriaButton
              key={encodeRange(each)}
              onPress={() => onChoose(each)}
              aria-label={labelRange(each, zone)}
              aria-pressed={isCurrent}
              className={cx(
                'tabular h-6 rounded-sm px-2 text-sm hover:bg-surface-3',
                isCurrent ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-text-2',
              )}
            >
              {each.kind === 'last' ? encodeRange(each) : labelRange(each, zone)}
            </AriaButton>
          )
        })}
      </div>
    </div>
  )
}

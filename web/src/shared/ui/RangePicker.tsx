import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { CalendarDate } from '@internationalized/date'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar,
} from 'react-aria-components'

export type DayRange = { start: CalendarDate; end: CalendarDate }

type RangePickerProps = {
  label: string
  value: DayRange | null
  onChange: (range: DayRange) => void
  minValue?: CalendarDate
  maxValue?: CalendarDate
}

/** Days from one to another, chosen in a calendar: by two clicks, by dragging, or by arrow keys and Enter. */
export function RangePicker({ label, value, onChange, minValue, maxValue }: RangePickerProps) {
  return (
    <RangeCalendar
      aria-label={label}
      value={value}
      onChange={onChange}
      minValue={minValue}
      maxValue={maxValue}
      className="w-fit"
    >
      <header className="flex items-center justify-between pb-1">
        <Button slot="previous" className={arrow}>
          <ChevronLeft aria-hidden />
        </Button>
        <Heading className="text-sm font-medium" />
        <Button slot="next" className={arrow}>
          <ChevronRight aria-hidden />
        </Button>
      </header>
      <CalendarGrid className="border-separate border-spacing-y-0.5">
        <CalendarGridHeader>
          {(day) => (
            <CalendarHeaderCell className="size-8 text-xs font-normal text-text-3">
              {day}
            </CalendarHeaderCell>
          )}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => (
            <CalendarCell
              date={date}
              className="tabular flex size-8 cursor-default items-center justify-center text-sm -outline-offset-2 data-disabled:text-text-3 data-disabled:opacity-50 data-hovered:rounded-md data-hovered:bg-surface-2 data-outside-month:hidden data-selected:bg-accent-soft data-selection-end:rounded-r-md data-selection-end:bg-accent data-selection-end:text-on-accent data-selection-start:rounded-l-md data-selection-start:bg-accent data-selection-start:text-on-accent data-focus-visible:outline-2 data-focus-visible:outline-accent"
            />
          )}
        </CalendarGridBody>
      </CalendarGrid>
    </RangeCalendar>
  )
}

const arrow =
  'flex size-7 items-center justify-center rounded-md text-text-3 hover:bg-surface-2 hover:text-text-1 data-disabled:opacity-40 [&_svg]:size-4'

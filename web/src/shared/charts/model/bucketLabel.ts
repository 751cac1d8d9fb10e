import { parts, type Zone } from '@/shared/lib/time'

const hour = 3_600_000
const day = 24 * hour
const months = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const

/** The axis label of a bucket: 14:05 for short buckets, 16 Nov for days. */
export function axisLabel(at: Date, step: number, zone: Zone): string {
  const p = parts(at, zone)
  return step >= day || (step >= hour && p.hour === 0) ? dayText(p) : timeText(p)
}

/** The label of a whole bucket: 16 Nov 14:00 – 15:00, or 16 Nov. */
export function bucketLabel(at: Date, step: number, zone: Zone): string {
  const from = parts(at, zone)
  const whole = from.hour === 0 && from.minute === 0
  if (step === day && whole) return dayText(from)
  if (step > day && whole) {
    // Half a day before the end is on the last day, also where clocks change.
    const last = new Date(at.getTime() + step - day / 2)
    return `${dayText(from)} – ${dayText(parts(last, zone))}`
  }
  const to = parts(new Date(at.getTime() + step), zone)
  return `${dayText(from)} ${timeText(from)} – ${step < day ? '' : `${dayText(to)} `}${timeText(to)}`
}

/** The end of a bucket, which is where the next one begins: a day may have 23 or 25 hours. */
export function bucketEnd(starts: readonly Date[], index: number, step: number): Date {
  return starts[index + 1] ?? new Date((starts[index]?.getTime() ?? 0) + step)
}

function timeText(p: { hour: number; minute: number }): string {
  return `${pad(p.hour)}:${pad(p.minute)}`
}

function dayText(p: { day: number; month: number }): string {
  return `${p.day} ${months[p.month - 1] ?? ''}`
}

function pad(n: number): string {
  return String(n).padStart(2, '0')
}

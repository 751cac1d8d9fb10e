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

/** The axis label of a bucket: 14:05 for short buckets, 16 Nov for days. Days are UTC days. */
export function axisLabel(at: Date, step: number, zone: Zone): string {
  const p = parts(at, step >= day ? 'utc' : zone)
  return step >= day || (step >= hour && p.hour === 0)
    ? dayText(p)
    : `${pad(p.hour)}:${pad(p.minute)}`
}

/** The label of a whole bucket: 16 Nov 14:00 – 15:00, or 16 Nov. */
export function bucketLabel(at: Date, step: number, zone: Zone): string {
  if (step === day) return dayText(parts(at, 'utc'))
  if (step > day) {
    const last = new Date(at.getTime() + step - day)
    return `${dayText(parts(at, 'utc'))} – ${dayText(parts(last, 'utc'))}`
  }
  const from = parts(at, zone)
  const to = parts(new Date(at.getTime() + step), zone)
  return `${dayText(from)} ${pad(from.hour)}:${pad(from.minute)} – ${pad(to.hour)}:${pad(to.minute)}`
}

function dayText(p: { day: number; month: number }): string {
  return `${p.day} ${months[p.month - 1] ?? ''}`
}

function pad(n: number): string {
  return String(n).padStart(2, '0')
}

export type RetentionValues = {
  keeps: 'forever' | 'days'
  retentionDays: string
  /** In gigabytes; empty for no maximum. */
  maxData: string
}

/** The server accepts no less. */
const fewestDays = 3
const leastBytes = 10_000_000
const mostBytes = 2 ** 50
const gigabyte = 1_000_000_000

export const keepsOptions = [
  { id: 'forever', label: 'Forever' },
  { id: 'days', label: 'For a number of days' },
] as const

export function toRetentionValues(days: number, maxBytes: number): RetentionValues {
  const maxData = maxBytes === 0 ? '' : String(maxBytes / gigabyte)
  return days === 0
    ? { keeps: 'forever', retentionDays: '90', maxData }
    : { keeps: 'days', retentionDays: String(days), maxData }
}

export function maxDataBytes(values: RetentionValues): number {
  return Math.round(Number(values.maxData.trim()) * gigabyte)
}

export function maxDataProblem(values: RetentionValues): string | undefined {
  const bytes = maxDataBytes(values)
  return bytes === 0 || (bytes >= leastBytes && bytes <= mostBytes)
    ? undefined
    : 'Enter a number of gigabytes, 0.01 or more, or leave it empty'
}

export function retentionDays(values: RetentionValues): number {
  return values.keeps === 'forever' ? 0 : Number(values.retentionDays)
}

export function retentionProblem(values: RetentionValues): string | undefined {
  if (values.keeps === 'forever') return undefined
  const days = values.retentionDays.trim()
  return /^\d{1,5}$/.test(days) && Number(days) >= fewestDays
    ? undefined
    : `Enter a number of days, ${fewestDays} or more`
}

export type RetentionValues = { keeps: 'forever' | 'days'; retentionDays: string }

/** The server accepts no fewer. */
const fewestDays = 3

export const keepsOptions = [
  { id: 'forever', label: 'For ever' },
  { id: 'days', label: 'For some days' },
] as const

export function toRetentionValues(days: number): RetentionValues {
  return days === 0
    ? { keeps: 'forever', retentionDays: '90' }
    : { keeps: 'days', retentionDays: String(days) }
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

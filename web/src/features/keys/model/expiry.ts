export type Expiry = 'never' | '30' | '90' | '365' | 'date'

export const expiryOptions: readonly { id: Expiry; label: string }[] = [
  { id: 'never', label: 'Never' },
  { id: '30', label: 'In 30 days' },
  { id: '90', label: 'In 90 days' },
  { id: '365', label: 'In a year' },
  { id: 'date', label: 'On a date' },
]

const day = 86_400_000

/** The expiry time of a key as the server takes it; for a date, the end of that day in local time. */
export function expiresAt(expiry: Expiry, date: string, now: Date): string | null {
  switch (expiry) {
    case 'never':
      return null
    case 'date':
      return endOfDay(date)?.toISOString() ?? null
    default:
      return new Date(now.getTime() + Number(expiry) * day).toISOString()
  }
}

export function expiryProblem(expiry: Expiry, date: string, now: Date): string | undefined {
  if (expiry !== 'date') return undefined
  const end = endOfDay(date)
  if (!end) return 'Enter a date'
  return end > now ? undefined : 'This date is in the past'
}

function endOfDay(date: string): Date | undefined {
  const end = new Date(`${date}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end
}

export function isExpired(expiresAt: string | null): boolean {
  return expiresAt !== null && new Date(expiresAt) < new Date()
}

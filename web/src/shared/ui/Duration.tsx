import { formatDuration } from '@/shared/lib/format'

export function Duration({ milliseconds }: { milliseconds: number | null | undefined }) {
  if (milliseconds === null || milliseconds === undefined)
    return <span className="text-text-3">–</span>
  return <span className="tabular whitespace-nowrap">{formatDuration(milliseconds)}</span>
}

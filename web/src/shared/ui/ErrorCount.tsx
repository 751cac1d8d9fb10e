import { CircleAlert } from 'lucide-react'
import { countOf } from '@/shared/lib/format'
import { Badge } from './Badge'

/** The number of errors; renders nothing for zero. */
export function ErrorCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Badge tone="danger" icon={<CircleAlert aria-hidden />}>
      {countOf(count, 'error')}
    </Badge>
  )
}

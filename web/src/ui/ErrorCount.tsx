import { CircleAlert } from 'lucide-react'
import { countOf } from '@/lib/format'
import { Badge } from './Badge'

/** How many errors there are; nothing if there are none. */
export function ErrorCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Badge tone="danger" icon={<CircleAlert aria-hidden />}>
      {countOf(count, 'error')}
    </Badge>
  )
}

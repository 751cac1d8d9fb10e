import { Bug, CircleAlert, TriangleAlert } from 'lucide-react'
import { Badge } from '@/ui'

/** The level of an observation; the usual one says nothing. */
export function Level({ level }: { level: string }) {
  switch (level) {
    case 'ERROR':
      return (
        <Badge tone="danger" icon={<CircleAlert aria-hidden />}>
          Error
        </Badge>
      )
    case 'WARNING':
      return (
        <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
          Warning
        </Badge>
      )
    case 'DEBUG':
      return <Badge icon={<Bug aria-hidden />}>Debug</Badge>
    default:
      return null
  }
}

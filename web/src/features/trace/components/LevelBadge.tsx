import { CircleAlert, TriangleAlert } from 'lucide-react'
import { Badge } from '@/ui'

/** The level of an observation, if it says more than that all is well. */
export function LevelBadge({ level }: { level: string }) {
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
      return <Badge>Debug</Badge>
    default:
      return null
  }
}

import { Bug, CircleAlert, TriangleAlert } from 'lucide-react'
import { Badge } from './Badge'

/** The level of an observation, unless it is unremarkable; an icon where there is little room. */
export function LevelBadge({ level, isSmall }: { level: string; isSmall?: boolean }) {
  if (isSmall) return <SmallLevel level={level} />
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

function SmallLevel({ level }: { level: string }) {
  switch (level) {
    case 'ERROR':
      return <CircleAlert aria-label="Error" className="size-3.5 shrink-0 text-danger" />
    case 'WARNING':
      return <TriangleAlert aria-label="Warning" className="size-3.5 shrink-0 text-warning" />
    default:
      return null
  }
}

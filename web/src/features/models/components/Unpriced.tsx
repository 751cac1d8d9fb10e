import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useProject } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { countOf } from '@/shared/lib/format'
import { linkClass, Skeleton, useNow } from '@/shared/ui'
import { useUnpriced } from '../api/useMatch'

/** Names of recently used models that have no price, each with a link to add one. */
export function Unpriced() {
  const { project, can } = useProject()
  const unpriced = useUnpriced(project.id)
  const now = useNow()
  if (unpriced.isError) {
    return <LoadError title="Couldn’t load unpriced models" query={unpriced} />
  }
  if (!unpriced.data) return <Skeleton className="w-64" />
  const { models, since } = unpriced.data
  if (models.length === 0) {
    return (
      <p className="flex items-center gap-2 text-text-2">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
        <span>Every model of the last {daysSince(since, now)} has a price.</span>
      </p>
    )
  }
  return (
    <ul className="flex max-w-2xl flex-col divide-y divide-border rounded-md border border-border">
      {models.map((model) => (
        <li key={model.name} className="flex items-center justify-between gap-3 px-3 py-1.5">
          <code className="min-w-0 font-mono text-sm break-all">{model.name}</code>
          <span className="flex shrink-0 items-center gap-3 text-sm text-text-3">
            <span className="tabular">{countOf(model.observations, 'observation')}</span>
            {can('project:admin') && (
              <Link
                to="/project/$projectId/settings/models/new"
                params={{ projectId: project.id }}
                search={{ name: model.name }}
                className={linkClass}
              >
                Set a price
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function daysSince(since: string, now: Date): string {
  const days = (now.getTime() - new Date(since).getTime()) / 86_400_000
  return countOf(Math.max(1, Math.round(days)), 'day')
}

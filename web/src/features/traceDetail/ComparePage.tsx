import { Link } from '@tanstack/react-router'
import { useSearchState } from '@/shared/lib/useSearchState'
import { LoadError } from '@/shared/errors'
import { Forbidden } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { EmptyState, linkClass, Skeleton } from '@/shared/ui'
import { useFollow } from './api/useFollow'
import { useTree } from './api/useTree'
import { CompareView } from './components/CompareView'

/** Compares two traces, ?a= and ?b=; ?row= is the selected row. */
export function ComparePage() {
  const { project, can } = useProject()
  const [{ a = '', b = '', row = '' }, change] = useSearchState()
  const isAllowed = can('traces:read')
  const first = useTree(project.id, a, isAllowed && a !== '')
  const second = useTree(project.id, b, isAllowed && b !== '')
  useFollow(project.id, first.data)
  useFollow(project.id, second.data)
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <title>Compare traces · Almanac</title>
      <header className="flex min-w-0 shrink-0 flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-border px-3 py-1.5">
        <h1 className="text-lg font-semibold">Compare traces</h1>
        <TraceLink
          label="A"
          projectId={project.id}
          traceId={a}
          name={first.data?.wire.trace.name}
        />
        <TraceLink
          label="B"
          projectId={project.id}
          traceId={b}
          name={second.data?.wire.trace.name}
        />
      </header>
      {!isAllowed ? (
        <Forbidden doing="see traces" permission="traces:read" />
      ) : a === '' || b === '' ? (
        <EmptyState title="Choose two traces to compare">
          The address must name both, as ?a= and ?b=. Open this page from the actions of a trace.
        </EmptyState>
      ) : first.isError ? (
        <LoadError title="Couldn’t load trace A" query={first} />
      ) : second.isError ? (
        <LoadError title="Couldn’t load trace B" query={second} />
      ) : first.data && second.data ? (
        <CompareView
          projectId={project.id}
          a={first.data}
          b={second.data}
          selected={/^\d+$/.test(row) ? Number(row) : 0}
          onSelect={(next) => change({ row: String(next) }, { replace: true })}
        />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-2 p-3">
          <Skeleton className="w-full" />
          <Skeleton className="w-3/4" />
          <Skeleton className="w-5/6" />
        </div>
      )}
    </div>
  )
}

type TraceLinkProps = {
  label: string
  projectId: string
  traceId: string
  name: string | null | undefined
}

function TraceLink({ label, projectId, traceId, name }: TraceLinkProps) {
  if (traceId === '') return null
  return (
    <span className="flex min-w-0 items-baseline gap-1.5 text-sm">
      <span className="font-medium">{label}</span>
      <Link
        to="/project/$projectId/traces/$traceId"
        params={{ projectId, traceId }}
        className={`${linkClass} max-w-60 truncate`}
      >
        {(name ?? '').slice(0, 100) || 'Trace'} {traceId.slice(0, 8)}
      </Link>
    </span>
  )
}

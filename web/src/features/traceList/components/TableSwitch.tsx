import { Link } from '@tanstack/react-router'
import { cx } from '@/shared/lib/cx'
import type { Table } from '../model/view'

const tables = [
  { id: 'traces', label: 'Traces' },
  { id: 'observations', label: 'Observations' },
] as const

/** Switches between the two tables, keeping the query. */
export function TableSwitch({ projectId, table }: { projectId: string; table: Table }) {
  return (
    <nav
      aria-label="Table"
      className="inline-flex shrink-0 rounded-md border border-border bg-surface-1 p-px"
    >
      {tables.map(({ id, label }) => (
        <Link
          key={id}
          to={`/project/$projectId/${id}`}
          params={{ projectId }}
          search={(before: object) => ({ ...before, ...cleared })}
          aria-current={id === table ? 'page' : undefined}
          className={cx(
            'flex h-7 items-center rounded-[5px] px-2.5 font-medium',
            id === table
              ? 'bg-surface-0 text-text-1 shadow-[0_0_0_1px_var(--color-border)]'
              : 'text-text-3 hover:text-text-1',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Columns and the open row belong to one table only. */
const cleared = {
  cols: undefined,
  hide: undefined,
  show: undefined,
  pin: undefined,
  w: undefined,
  peek: undefined,
  observation: undefined,
  view: undefined,
  traceTab: undefined,
  find: undefined,
  viewId: undefined,
}

import { formatExact } from '@/shared/lib/format'
import { useMemo, useState } from 'react'
import { cx } from '@/shared/lib/cx'
import { Duration, Money, ObservationType, Tokens } from '@/shared/ui'
import { statistics, type NameStatistics } from '../model/statistics'
import type { Tree } from '../model/tree'

type Column = { id: keyof NameStatistics; label: string; title?: string }

const columns: Column[] = [
  { id: 'count', label: 'Count' },
  { id: 'errors', label: 'Errors' },
  { id: 'totalTime', label: 'Total' },
  { id: 'selfTime', label: 'Self', title: 'Time in which none of their children ran' },
  { id: 'p50', label: 'p50' },
  { id: 'p95', label: 'p95' },
  { id: 'cost', label: 'Cost' },
  { id: 'tokens', label: 'Tokens' },
]

/** Where time and money went, by name. A name leads to its slowest observation. */
export function Statistics({ tree, onSelect }: { tree: Tree; onSelect: (row: number) => void }) {
  const [by, setBy] = useState<keyof NameStatistics>('totalTime')
  const all = useMemo(() => statistics(tree), [tree])
  const sorted = useMemo(
    () => all.toSorted((a, b) => Number(b[by] ?? -1) - Number(a[by] ?? -1)),
    [all, by],
  )
  const shown = sorted.slice(0, maxRows)
  return (
    <div className="min-w-0 overflow-x-auto p-3">
      <table className="w-full text-sm">
        <caption className="sr-only">Statistics by name</caption>
        <thead>
          <tr className="border-b border-border text-text-3">
            <th scope="col" className="py-1 text-left font-normal">
              Name
            </th>
            {columns.map(({ id, label, title }) => (
              <th
                key={id}
                scope="col"
                aria-sort={by === id ? 'descending' : undefined}
                className="py-1 pl-3 text-right font-normal"
              >
                <button
                  type="button"
                  title={title}
                  onClick={() => setBy(id)}
                  className={cx('hover:text-text-1', by === id && 'font-medium text-text-1')}
                >
                  {label}
                  {by === id && <span aria-hidden> ↓</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={row.id}
              className="border-b border-border/60 [&_td]:py-1 [&_td]:pl-3 [&_td]:text-right"
            >
              <th scope="row" className="max-w-64 min-w-32 py-1 text-left font-normal">
                <button
                  type="button"
                  onClick={() => onSelect(row.slowest)}
                  className="flex max-w-full items-center gap-1.5 hover:underline"
                  title="Go to the slowest"
                >
                  <ObservationType type={row.type} hideLabel />
                  <bdi className="truncate">{row.name.slice(0, 200) || 'unnamed'}</bdi>
                </button>
              </th>
              <td className="tabular">{formatExact(row.count)}</td>
              <td className={cx('tabular', row.errors > 0 && 'text-danger')}>{row.errors}</td>
              <td>
                <Duration milliseconds={row.totalTime} />
              </td>
              <td>
                <Duration milliseconds={row.selfTime} />
              </td>
              <td>
                <Duration milliseconds={row.p50} />
              </td>
              <td>
                <Duration milliseconds={row.p95} />
              </td>
              <td>
                <Money amount={row.cost} />
              </td>
              <td>
                <Tokens count={row.tokens} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown.length && (
        <p className="pt-2 text-sm text-text-3">
          The first {maxRows} of {formatExact(sorted.length)} names.
        </p>
      )}
    </div>
  )
}

const maxRows = 500

import type { ReactNode } from 'react'
import { formatExact } from '@/shared/lib/format'

type HeatMapProps = {
  label: string
  /** The labels of rows and columns, in order; the first row is on top. */
  rows: readonly string[]
  columns: readonly string[]
  rowTitle: string
  columnTitle: string
  counts: readonly (readonly number[])[]
  /** Renders the count of a cell, as a link to its rows. */
  cell: (row: number, column: number, text: string) => ReactNode
}

/** The opacity of the fullest cell: text stays readable on it in both themes. */
const darkest = 0.42

/** How often two values occur together. It is a table, so it needs no text alternative. */
export function HeatMap(props: HeatMapProps) {
  const { label, rows, columns, rowTitle, columnTitle, counts, cell } = props
  const most = Math.max(...counts.flat(), 1)
  return (
    <div
      role="region"
      aria-label={label}
      // Focusable, so that it can be scrolled with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-w-0 overflow-x-auto"
    >
      <p className="pb-1 text-sm text-text-3">
        Rows: <span className="text-text-1">{rowTitle}</span> · columns:{' '}
        <span className="text-text-1">{columnTitle}</span>
      </p>
      <table aria-label={label} className="tabular border-separate border-spacing-0.5 text-sm">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{rowTitle}</span>
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="max-w-24 truncate px-1 pb-1 font-normal text-text-3"
                title={column}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row}>
              <th
                scope="row"
                className="max-w-32 truncate pr-2 text-right font-normal text-text-3"
                title={row}
              >
                {row}
              </th>
              {columns.map((column, to) => {
                const count = counts[at]?.[to] ?? 0
                return (
                  <td key={column} className="relative h-8 min-w-12 bg-surface-1 p-0 text-center">
                    <span
                      aria-hidden
                      className="pointer-events-none absolute inset-0 rounded-sm bg-accent"
                      style={{
                        opacity: count === 0 ? 0 : 0.06 + (darkest - 0.06) * (count / most),
                      }}
                    />
                    <span className="relative">
                      {count === 0 ? (
                        <span className="text-text-3">0</span>
                      ) : (
                        cell(at, to, formatExact(count))
                      )}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

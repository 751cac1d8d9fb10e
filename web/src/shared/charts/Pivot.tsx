import { sumOf, totals } from './model/totals'

type PivotProps = {
  label: string
  rowTitle: string
  columnTitle: string
  rows: readonly string[]
  columns: readonly string[]
  /** By row and column; null where there is nothing. */
  values: readonly (readonly (number | null)[])[]
  format: (value: number) => string
  /** Whether rows and columns can be added up. */
  hasTotals?: boolean
}

/** Values by two dimensions, with totals. It is a table, so it needs no text alternative. */
export function Pivot(props: PivotProps) {
  const { label, rowTitle, columnTitle, rows, columns, values, format, hasTotals } = props
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : format(value)
  const sums = totals(values, columns.length)
  return (
    <div
      role="region"
      aria-label={label}
      // Focusable, so that it can be scrolled with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-96 min-w-0 overflow-auto rounded-md border border-border"
    >
      <table aria-label={label} className="tabular w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="text-text-3">
            <th scope="col" className={`${head} left-0 z-head text-left`}>
              {rowTitle} <span className="font-normal">by {columnTitle.toLowerCase()}</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className={`${head} z-cell text-right`}>
                {column}
              </th>
            ))}
            {hasTotals && (
              <th scope="col" className={`${head} z-cell text-right`}>
                Total
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row} className="hover:bg-surface-1">
              <th
                scope="row"
                className="z-cell sticky left-0 bg-surface-0 px-3 py-1.5 text-left font-normal"
              >
                {row}
              </th>
              {columns.map((column, to) => (
                <td key={column} className="px-3 py-1.5 text-right">
                  {text(values[at]?.[to])}
                </td>
              ))}
              {hasTotals && (
                <td className="px-3 py-1.5 text-right font-medium">{text(sums.rows[at])}</td>
              )}
            </tr>
          ))}
        </tbody>
        {hasTotals && (
          <tfoot>
            <tr>
              <th scope="row" className={`${foot} left-0 z-head text-left`}>
                Total
              </th>
              {columns.map((column, to) => (
                <td key={column} className={`${foot} text-right`}>
                  {text(sums.columns[to])}
                </td>
              ))}
              <td className={`${foot} text-right`}>{text(sumOf(sums.rows))}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

const head = 'sticky top-0 border-b border-border bg-surface-1 px-3 py-1.5 font-medium'
const foot = 'sticky bottom-0 border-t border-border bg-surface-1 px-3 py-1.5 font-medium'

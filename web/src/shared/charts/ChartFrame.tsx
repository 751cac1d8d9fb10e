import { ChartLine, Table2 } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { IconButton } from '@/shared/ui'

type ChartFrameProps = {
  title: string
  /** Shown beside the title: a total, a legend. */
  beside?: ReactNode
  /** The same numbers as text: header and rows. */
  table: { head: readonly string[]; rows: readonly (readonly string[])[] }
  children: ReactNode
}

/** A chart with its title, and the same numbers as a table for everyone who would rather read them. */
export function ChartFrame({ title, beside, table, children }: ChartFrameProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        {beside}
        <span className="ml-auto">
          <IconButton
            size="sm"
            label={isTable ? `${title} as a chart` : `${title} as a table`}
            icon={isTable ? <ChartLine aria-hidden /> : <Table2 aria-hidden />}
            onPress={() => setTable(!isTable)}
          />
        </span>
      </figcaption>
      {isTable ? <NumberTable title={title} {...table} /> : children}
    </figure>
  )
}

type NumberTableProps = {
  title: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

function NumberTable({ title, head, rows }: NumberTableProps) {
  return (
    <div
      role="region"
      aria-label={`${title}, numbers`}
      // Focusable, so that it can be scrolled with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-56 overflow-auto rounded-md border border-border"
    >
      <table className="tabular w-full text-sm">
        <thead className="sticky top-0 bg-surface-1 text-left text-text-3">
          <tr>
            {head.map((each, at) => (
              <th
                key={each}
                scope="col"
                className={at === 0 ? 'px-2 py-1 font-medium' : 'px-2 py-1 text-right font-medium'}
              >
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity other than their index.
            <tr key={at} className="border-t border-border">
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row" className="px-2 py-1 text-left font-normal">
                    {cell}
                  </th>
                ) : (
                  <td key={column} className="px-2 py-1 text-right">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

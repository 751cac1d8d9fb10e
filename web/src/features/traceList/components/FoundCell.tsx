import { excerptOf } from '../model/found'
import type { Row } from '../model/rows'
import type { Table } from '../model/view'

/** Where a row has the text of the search, with what surrounds it. */
export function FoundCell({ table, row }: { table: Table; row: Row }) {
  const excerpt = excerptOf(table, row)
  if (!excerpt || !row.found) return null
  const { observation, field, before, text, after } = excerpt
  return (
    <span title={`${row.found.before}${text}${row.found.after}`} className="flex min-w-0 gap-1.5">
      <span className="max-w-[40%] shrink-0 truncate text-text-3">
        {field}
        {observation !== undefined && (
          <>
            {' of '}
            <bdi>{observation}</bdi>
          </>
        )}
      </span>
      <bdi className="min-w-0 truncate">
        {before}
        <mark className="rounded-sm bg-warning-soft text-text-1 outline -outline-offset-1 outline-warning">
          {text}
        </mark>
        {after}
      </bdi>
    </span>
  )
}

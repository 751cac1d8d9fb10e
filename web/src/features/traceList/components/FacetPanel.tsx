import { useState } from 'react'
import { useFacets } from '../api/useFacets'
import type { TraceQuery } from '../api/useTraceQuery'
import { chosenValues, toggleValue } from '@/shared/query'
import { facets } from '../model/facets'
import { languageOf } from '../model/question'
import { FacetSection } from './FacetSection'

type FacetPanelProps = { projectId: string; view: TraceQuery; isEnabled: boolean }

/** The values to narrow by, with counts. Folded facets are not counted. */
export function FacetPanel({ projectId, view, isEnabled }: FacetPanelProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(facets.filter((facet) => facet.isOpenAtFirst).map(({ column }) => column)),
  )
  const columns = facets.map(({ column }) => column).filter((column) => open.has(column))
  const counted = useFacets(projectId, view.selection, columns, isEnabled)
  return (
    <div className="flex flex-col">
      <p className="py-1 text-sm text-text-3">
        {view.table === 'traces'
          ? 'Traces that have each value, or an observation that has it'
          : 'Observations that have each value'}
      </p>
      {facets.map(({ column, label }) => (
        <FacetSection
          key={column}
          projectId={projectId}
          column={column}
          label={label}
          values={counted.data?.facets[column]}
          isFailed={counted.isError}
          chosen={chosenValues(view.query, column)}
          isOpen={open.has(column)}
          onToggleOpen={() => {
            const next = new Set(open)
            if (!next.delete(column)) next.add(column)
            setOpen(next)
          }}
          onToggle={(value) =>
            view.setQuery(toggleValue(view.query, column, value, languageOf(view.table)))
          }
        />
      ))}
      {counted.data?.partial && (
        <p className="py-2 text-sm text-text-3">
          Counting timed out: some counts are too low. Try a shorter time range.
        </p>
      )}
    </div>
  )
}

import { X } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { LoadError } from '@/shared/errors'
import { cx } from '@/shared/lib/cx'
import { formatExact, formatShare } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { labelRange } from '@/shared/lib/timeRange'
import { Badge, Button, EmptyState, Skeleton } from '@/shared/ui'
import { useDifferences } from '../api/useDifferences'
import type { TraceQuery } from '../api/useTraceQuery'
import { selectionsOf, type Comparing } from '../model/compare'
import { onlyValue } from '@/shared/query'
import { labelOf } from '../model/facets'
import { languageOf } from '../model/question'

type DifferencesProps = {
  projectId: string
  view: TraceQuery
  comparing: Comparing
  /** Shows the rows with a value. */
  onNarrow: (query: TraceQuery['query']) => void
  onClose: () => void
}

/** What sets some rows apart: values that are more frequent among them than among the others. */
export function Differences({ projectId, view, comparing, onNarrow, onClose }: DifferencesProps) {
  const zone = usePreference(zonePreference)
  const { selection, baseline } = selectionsOf(comparing, view.selection)
  const found = useDifferences(projectId, selection, baseline)
  const what =
    comparing.kind === 'time'
      ? `${labelRange(comparing.range, zone)} against the whole range`
      : 'What matches the query, compared with everything in this range'
  return (
    <section
      aria-label="What is different"
      className="flex min-h-0 flex-1 flex-col overflow-auto rounded-md border border-border"
    >
      <header className="sticky top-0 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface-1 px-3 py-2">
        <h2 className="font-medium">What is different</h2>
        <span className="min-w-0 text-sm text-text-3">
          {what}
          {found.data &&
            `: ${formatExact(found.data.selected)} of ${formatExact(found.data.baseline)} observations`}
        </span>
        <Button size="sm" icon={<X aria-hidden />} onPress={onClose} className="ml-auto">
          Back to results
        </Button>
      </header>
      {found.isError && <LoadError title="The comparison failed" query={found} />}
      {found.isPending && (
        <div aria-busy="true" className="flex flex-col gap-3 p-3">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-5/6" />
          <Skeleton className="h-8 w-2/3" />
        </div>
      )}
      {found.data?.differences.length === 0 && (
        <EmptyState title="Nothing stands out">
          No value is more frequent here than elsewhere.
        </EmptyState>
      )}
      {found.data && found.data.differences.length > 0 && (
        <ul>
          {found.data.differences.map((each) => (
            <li key={`${each.column} ${each.value}`} className="border-b border-border">
              <AriaButton
                onPress={() =>
                  onNarrow(onlyValue(view.query, each.column, each.value, languageOf(view.table)))
                }
                className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-3 py-1.5 text-left hover:bg-surface-1 sm:grid-cols-[9rem_minmax(0,1fr)_14rem_5rem]"
              >
                <span className="truncate text-sm text-text-3">{labelOf(each.column)}</span>
                <span
                  title={each.value}
                  className="col-span-2 row-start-2 truncate sm:col-span-1 sm:row-start-auto"
                >
                  {each.value}
                </span>
                <span className="flex flex-col gap-0.5 text-xs text-text-3">
                  <Share label="here" share={each.share} isSelected />
                  <Share label="all" share={each.baselineShare} />
                </span>
                <span className="hidden justify-self-end sm:block">
                  <Badge tone="accent">
                    {each.lift === null ? 'only here' : `${Math.round(each.lift * 10) / 10}×`}
                  </Badge>
                </span>
              </AriaButton>
            </li>
          ))}
        </ul>
      )}
      {found.data?.partial && (
        <p className="p-3 text-sm text-text-3">
          Timed out: not everything was compared. Try a shorter range.
        </p>
      )}
    </section>
  )
}

function Share({
  label,
  share,
  isSelected,
}: {
  label: string
  share: number
  isSelected?: boolean
}) {
  return (
    <span className="flex items-center gap-2">
      <span className="w-6">{label}</span>
      <span aria-hidden className="h-1.5 w-24 rounded-full bg-surface-2">
        <span
          className={cx('block h-full rounded-full', isSelected ? 'bg-accent' : 'bg-control')}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </span>
      <span className="tabular">{formatShare(share)}</span>
    </span>
  )
}

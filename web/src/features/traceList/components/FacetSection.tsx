import { ChevronDown, ChevronRight } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button as AriaButton, Input, SearchField } from 'react-aria-components'
import { cx } from '@/shared/lib/cx'
import { formatCount, formatExact } from '@/shared/lib/format'
import { Checkbox, Skeleton } from '@/shared/ui'
import { useSuggestions } from '@/shared/query'

type ValueCount = { value: string; count: number }

type FacetSectionProps = {
  projectId: string
  column: string
  label: string
  values: readonly ValueCount[] | undefined
  isFailed: boolean
  chosen: readonly string[]
  isOpen: boolean
  onToggleOpen: () => void
  onToggle: (value: string) => void
}

/** From this many values on there may be more, and a field to search for them. */
const many = 8

/** The values of one column. Clicking a value adds it to the query or removes it. */
export function FacetSection(props: FacetSectionProps) {
  const { label, chosen, isOpen } = props
  return (
    <section aria-label={label} className="border-b border-border py-1">
      <h3>
        <AriaButton
          aria-expanded={isOpen}
          onPress={props.onToggleOpen}
          className="flex h-7 w-full items-center gap-1 rounded-sm text-sm font-medium text-text-2 hover:text-text-1 [&_svg]:size-3.5"
        >
          {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {label}
          {chosen.length > 0 && (
            <span className="tabular ml-auto rounded-sm bg-accent-soft px-1.5 text-xs text-accent">
              {chosen.length}
            </span>
          )}
        </AriaButton>
      </h3>
      {isOpen && <Values {...props} />}
    </section>
  )
}

function Values({
  projectId,
  column,
  label,
  values,
  isFailed,
  chosen,
  onToggle,
}: FacetSectionProps) {
  const [wanted, setWanted] = useState('')
  const prefix = useDeferredValue(wanted.trim())
  const found = useSuggestions(projectId, prefix === '' ? undefined : column, prefix)
  if (!values)
    return isFailed ? (
      <p className="py-1 text-sm text-text-3">Could not be counted.</p>
    ) : (
      <div aria-hidden className="flex flex-col gap-2 py-1">
        <Skeleton className="w-3/4" />
        <Skeleton className="w-1/2" />
      </div>
    )
  const counts = new Map(values.map(({ value, count }) => [value, count]))
  const known =
    prefix === '' ? values.map(({ value }) => value) : namesOf(values, found.data?.values, prefix)
  const listed = [...new Set([...chosen, ...known])]
  const most = Math.max(1, ...values.map(({ count }) => count))
  return (
    <div className="flex flex-col pb-1">
      {(values.length >= many || wanted !== '') && column !== 'level' && column !== 'type' && (
        <SearchField
          aria-label={`Find in ${label}`}
          value={wanted}
          onChange={setWanted}
          className="py-1"
        >
          <Input
            placeholder="Find…"
            className="h-6 w-full min-w-0 rounded-sm border border-control bg-surface-0 px-2 text-sm"
          />
        </SearchField>
      )}
      {listed.length === 0 && <p className="py-0.5 text-sm text-text-3">None</p>}
      {listed.map((value) => {
        const count = counts.get(value)
        return (
          <Checkbox
            key={value}
            isSelected={chosen.includes(value)}
            onChange={() => onToggle(value)}
            className="relative min-h-6 w-full items-center py-0.5 *:last:min-w-0 *:last:flex-1"
          >
            <span className="flex items-center gap-2 text-sm">
              <span title={value} className="min-w-0 flex-1 truncate">
                {value}
              </span>
              {count !== undefined && (
                <span title={formatExact(count)} className="tabular shrink-0 text-text-3">
                  {formatCount(count)}
                </span>
              )}
            </span>
            <span aria-hidden className="block h-0.5 rounded-full bg-surface-2">
              <span
                className={cx(
                  'block h-full rounded-full',
                  column === 'level' && value === 'ERROR' ? 'bg-danger' : 'bg-control',
                )}
                style={{ width: `${((count ?? 0) / most) * 100}%` }}
              />
            </span>
          </Checkbox>
        )
      })}
    </div>
  )
}

/** Counted values that contain the typed text, and suggested ones that begin with it. */
function namesOf(
  counted: readonly ValueCount[],
  suggested: readonly ValueCount[] | undefined,
  typed: string,
): string[] {
  const isWanted = (value: string) => value.toLowerCase().includes(typed.toLowerCase())
  return [...counted, ...(suggested ?? [])].map(({ value }) => value).filter(isWanted)
}

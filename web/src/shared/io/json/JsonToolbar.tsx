import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp, Search } from 'lucide-react'
import { formatExact } from '@/shared/lib/format'
import { CopyButton, IconButton } from '@/shared/ui'
import { mayBeCutAt, Json, type JsonDocument } from './model/json'
import { wholeValue } from './model/wholeValue'
import type { Rest } from './rest'
import { pathOf } from './model/path'
import { maxHits } from './model/search'

type JsonToolbarProps = {
  document: JsonDocument
  label: string
  /** Whether something is missing in the text. */
  isCut: boolean
  rest: Rest
  current: number
  query: string
  hits: readonly number[]
  onQuery: (query: string) => void
  onGo: (node: number) => void
  onLevel: (level: number) => void
}

/** The current path, what can be copied there, and a search through the whole text. */
export function JsonToolbar(props: JsonToolbarProps) {
  const { document, current, query, hits } = props
  const { loadWhole, isLoading } = props.rest
  const isCutHere = props.isCut && mayBeCutAt(document, current)
  const reach = !props.isCut ? '' : isLoading ? ', loading the rest' : ' in the shown part'
  const path = pathOf(document, current)
  const at = hits.indexOf(current)
  const step = (by: number) => {
    const next = at === -1 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length
    const node = hits[next]
    if (node !== undefined) props.onGo(node)
  }
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-border px-2 py-1 text-sm">
      <label className="flex h-6 min-w-0 items-center gap-1 rounded-md border border-border bg-surface-0 px-1.5 focus-within:outline-2 focus-within:outline-accent">
        <Search aria-hidden className="size-3.5 text-text-3" />
        <input
          type="search"
          aria-label={`Search ${props.label}`}
          placeholder="Search"
          value={query}
          onChange={(event) => props.onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            step(event.shiftKey ? -1 : 1)
          }}
          className="w-32 min-w-0 bg-transparent outline-none"
        />
      </label>
      {query !== '' && (
        <>
          <span role="status" className="tabular px-1 text-text-3">
            {hits.length === 0
              ? 'Nothing found'
              : `${at === -1 ? '' : `${formatExact(at + 1)} of `}${formatExact(hits.length)}${hits.length >= maxHits ? '+' : ''}`}
            {reach}
          </span>
          <IconButton
            size="sm"
            label="Previous match"
            icon={<ChevronUp aria-hidden />}
            isDisabled={hits.length === 0}
            onPress={() => step(-1)}
          />
          <IconButton
            size="sm"
            label="Next match"
            icon={<ChevronDown aria-hidden />}
            isDisabled={hits.length === 0}
            onPress={() => step(1)}
          />
        </>
      )}
      <IconButton
        size="sm"
        label="Collapse all"
        icon={<ChevronsDownUp aria-hidden />}
        onPress={() => props.onLevel(1)}
      />
      <IconButton
        size="sm"
        label="Expand all"
        icon={<ChevronsUpDown aria-hidden />}
        onPress={() => props.onLevel(Infinity)}
      />
      <span className="ml-auto flex min-w-0 items-center gap-1">
        <span className="truncate font-mono text-text-3" title={path}>
          {path.length > 120 ? `…${path.slice(-120)}` : path}
        </span>
        <CopyButton text={path} label="Copy path" />
        <CopyButton
          text={
            isCutHere && loadWhole
              ? async () => wholeValue(document, current, await loadWhole()).raw
              : new Json(document, current).raw
          }
          label={
            isCutHere && !loadWhole ? 'Copy the shown part of the value' : 'Copy value as stored'
          }
        />
      </span>
    </div>
  )
}

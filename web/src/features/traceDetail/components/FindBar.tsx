import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { messageOf } from '@/shared/api'
import { countOf } from '@/shared/lib/format'
import { IconButton, inputClass, Spinner } from '@/shared/ui'
import { nextWhere } from '../model/visible'
import type { Tree } from '../model/tree'
import type { FoundInTrace } from './useHits'

type FindBarProps = {
  text: string
  hits: FoundInTrace
  tree: Tree
  selected: number
  onText: (text: string) => void
  onSelect: (row: number) => void
  onClose: () => void
  /** Counts how often the user asked for it; what a link searches for takes no focus. */
  asked: number
}

const pause = 250

/** Searches everything in the trace; Enter goes from one matching observation to the next. */
export function FindBar({
  text,
  hits,
  tree,
  selected,
  onText,
  onSelect,
  onClose,
  asked,
}: FindBarProps) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  // The focus is outside React.
  useEffect(() => {
    if (asked > 0) input.current?.focus()
  }, [asked])
  const settled = useDeferredValue(typed)
  const send = useEffectEvent((next: string) => {
    if (next !== text) onText(next)
  })
  // Timers are outside React: the search runs when typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => send(settled), pause)
    return () => clearTimeout(timer)
  }, [settled])
  const go = (step: 1 | -1) => {
    const row = nextWhere(tree, selected, step, (each) => hits.byRow.has(each))
    if (row !== undefined) onSelect(row)
  }
  const onKey = (event: KeyboardEvent) => {
    // An Enter that ends a composition belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      go(event.shiftKey ? -1 : 1)
    }
  }
  const excerpt = hits.hits.find(({ observationId }) => tree.rowOf.get(observationId) === selected)
  const at = hits.rows.indexOf(selected)
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border bg-surface-1 px-3 py-1">
      <Search aria-hidden className="size-4 text-text-3" />
      <input
        ref={input}
        aria-label="Find in the trace"
        placeholder="Find in all inputs, outputs, names and metadata"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKey}
        className={`${inputClass} max-w-80 flex-1`}
      />
      <span role="status" className="tabular flex items-center gap-2 text-sm text-text-2">
        {hits.isLoading && <Spinner />}
        {hits.error ? (
          <span className="text-danger">{messageOf(hits.error)}</span>
        ) : typed.trim() === '' ? null : (
          <>
            {hits.isPartial && 'at least '}
            {countOf(hits.total, 'match', 'matches')} in {countOf(hits.rows.length, 'observation')}
            {at >= 0 && ` (${at + 1} of ${hits.rows.length})`}
          </>
        )}
      </span>
      <span className="flex">
        <IconButton
          size="sm"
          label="Previous (Shift Enter)"
          icon={<ChevronUp aria-hidden />}
          isDisabled={hits.rows.length === 0}
          onPress={() => go(-1)}
        />
        <IconButton
          size="sm"
          label="Next (Enter)"
          icon={<ChevronDown aria-hidden />}
          isDisabled={hits.rows.length === 0}
          onPress={() => go(1)}
        />
        <IconButton size="sm" label="Close (Esc)" icon={<X aria-hidden />} onPress={onClose} />
      </span>
      {excerpt && (
        <span className="min-w-0 flex-1 truncate text-sm text-text-3">
          {excerpt.field}: <bdi>{excerpt.excerpt}</bdi>
        </span>
      )}
    </search>
  )
}

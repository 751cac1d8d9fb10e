import { CornerDownLeft, Search, X } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { IconButton } from '@/shared/ui'
import { Completions } from './Completions'
import { ErrorUnderlines } from './ErrorUnderlines'
import {
  completeKnownValues,
  insertValue,
  suggestedColumn,
  type Completing,
  type Completion,
} from './model/complete'
import { emptyQuery, type Query } from './model/condition'
import type { QueryLanguage } from './model/language'

/** Values that occur in a column, the most frequent first. */
export type SuggestedValues = {
  column: string | undefined
  values: readonly { value: string; count?: number }[]
}

type QueryBarProps = {
  /** The fields that queries are about. */
  language: QueryLanguage
  /** Called when the values of a column would help; undefined when none would. */
  onAsk?: (column: string | undefined, prefix: string) => void
  /** The values of the column that was asked for last, once they are there. */
  suggested?: SuggestedValues
  query: Query
  onChange: (query: Query) => void
  /** The accessible name. */
  label?: string
  /** An example of a query. */
  placeholder?: string
}

const maxFields = 12

/** The input for queries: completes fields, operators and values, and marks the word that it does not compileQuery. */
export function QueryBar(props: QueryBarProps) {
  const { language, query, onChange } = props
  const { completingAt, printQuery, compileQuery } = language
  usePreference(zonePreference) // times are read and printed in it
  const printed = printQuery(query)
  const [draft, setDraft] = useState({ printed, text: printed })
  // When the URL changes, for example after Back, its query replaces the typed text.
  if (draft.printed !== printed) setDraft({ printed, text: printed })
  const { text } = draft
  const [caret, setCaret] = useState<number | undefined>(undefined)
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const [isComposing, setComposing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const marks = useRef<HTMLDivElement | null>(null)
  // Underlines may appear when the text has been scrolled already.
  const alignMarks = useCallback((element: HTMLDivElement | null) => {
    marks.current = element
    if (element) element.scrollLeft = input.current?.scrollLeft ?? 0
  }, [])
  const listId = useId()
  const errorId = useId()

  const isChanged = text.trim() !== printed
  const { query: typed, errors } = compileQuery(text)
  const completing = caret === undefined ? undefined : completingAt(text, caret)
  const asked = isOpen && !isComposing ? completing : undefined
  const askedColumn = asked && suggestedColumn(asked)
  const askedPrefix = asked?.prefix ?? ''
  const onAsk = useEffectEvent((column: string | undefined, prefix: string) =>
    props.onAsk?.(column, prefix),
  )
  // Values are loaded by whoever uses the bar.
  useEffect(() => onAsk(askedColumn, askedPrefix), [askedColumn, askedPrefix])
  const completions = asked ? completionsAt(asked, language, props.suggested) : []
  const isListOpen = isOpen && !isComposing && completions.length > 0
  // The word that is being typed is not wrong yet.
  const shownErrors = errors.filter(
    ({ start, end }) => caret === undefined || !isListOpen || caret < start || caret > end,
  )
  const [error] = shownErrors

  const write = (next: string, at: number) => {
    setDraft({ printed, text: next })
    setCaret(at)
    setActive(-1)
  }
  const accept = (index: number) => {
    const chosen = completions[index]
    if (!chosen || !completing) return
    const next =
      text.slice(0, completing.start) + chosen.insert + text.slice(completing.end).trimStart()
    const at = completing.start + chosen.insert.length
    // Synchronously: otherwise the caret would move while the user goes on typing.
    flushSync(() => write(next, at))
    input.current?.focus()
    input.current?.setSelectionRange(at, at)
  }
  const apply = () => {
    setOpen(false)
    if (errors.length > 0) return
    setDraft({ printed, text: printQuery(typed) })
    if (isChanged) onChange(typed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter, arrows and Esc belong to the input method during composition.
    if (isComposing || event.nativeEvent.isComposing) return
    const move = (by: number) => {
      if (!isListOpen) setOpen(true)
      else setActive((active + by + completions.length) % completions.length)
    }
    switch (event.key) {
      case 'ArrowDown':
        move(1)
        break
      case 'ArrowUp':
        move(active < 0 ? 0 : -1)
        break
      case 'Enter':
        if (isListOpen && active >= 0) accept(active)
        else apply()
        break
      case 'Tab':
        if (!isListOpen || event.shiftKey || completing?.prefix === '') return
        accept(Math.max(active, 0))
        break
      case 'Escape':
        if (isListOpen) setOpen(false)
        else if (isChanged) setDraft({ printed, text: printed })
        else input.current?.blur()
        break
      default:
        return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const onCaret = () => {
    const at = input.current?.selectionStart
    setCaret(at ?? undefined)
  }
  return (
    <search className="relative min-w-0 flex-1">
      <div
        className={cx(
          'flex h-8 items-center rounded-md border bg-surface-0 pl-2 focus-within:outline-2 focus-within:outline-accent',
          error ? 'border-danger' : 'border-control',
        )}
      >
        <Search aria-hidden className="size-4 shrink-0 text-text-3" />
        <div className="relative min-w-0 flex-1">
          <ErrorUnderlines ref={alignMarks} text={text} errors={shownErrors} />
          <input
            ref={input}
            data-page-search
            type="text"
            role="combobox"
            aria-label={props.label ?? 'Filter and search'}
            aria-expanded={isListOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isListOpen && active >= 0 ? `${listId}-${active}` : undefined}
            aria-invalid={error !== undefined}
            aria-describedby={error ? errorId : undefined}
            placeholder={props.placeholder}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={text}
            onChange={(event) => {
              setOpen(true)
              write(event.target.value, event.target.selectionStart ?? event.target.value.length)
            }}
            onSelect={onCaret}
            onScroll={(event) => {
              if (marks.current) marks.current.scrollLeft = event.currentTarget.scrollLeft
            }}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
            className="relative h-7 w-full min-w-0 bg-transparent px-2 font-mono text-sm outline-none"
          />
        </div>
        {isChanged && errors.length === 0 && (
          <IconButton
            size="sm"
            label="Apply (Enter)"
            icon={<CornerDownLeft aria-hidden />}
            onPress={apply}
          />
        )}
        {text !== '' && (
          <IconButton
            size="sm"
            label="Clear the query"
            icon={<X aria-hidden />}
            onPress={() => {
              setDraft({ printed, text: '' })
              if (printed !== '') onChange(emptyQuery)
              input.current?.focus()
            }}
            className="mr-1"
          />
        )}
      </div>
      {error && (
        <p id={errorId} role="alert" className="pt-1 text-sm text-danger">
          <code className="font-mono">{text.slice(error.start, error.end)}</code>: {error.message}
        </p>
      )}
      {isListOpen && (
        <Completions id={listId} completions={completions} active={active} onAccept={accept} />
      )}
    </search>
  )
}

/** The completions at the caret: fields, operators, and values that occur. */
function completionsAt(
  at: Completing,
  language: QueryLanguage,
  suggested: SuggestedValues | undefined,
): Completion[] {
  if (at.kind === 'field') return language.completeFields(at).slice(0, maxFields)
  const known = at.kind === 'value' ? completeKnownValues(at) : []
  const column = suggestedColumn(at)
  const real = column !== undefined && suggested?.column === column ? suggested.values : []
  return [
    ...known,
    ...real
      .filter(({ value }) => value.toLowerCase().startsWith(at.prefix.toLowerCase()))
      .map(({ value, count }): Completion => ({
        id: `value-${value}`,
        label: value,
        insert: insertValue(at, value),
        count,
      })),
  ]
}

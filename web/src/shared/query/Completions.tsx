import { cx } from '@/shared/lib/cx'
import { formatCount } from '@/shared/lib/format'
import { KeyHint } from '@/shared/ui'
import type { Completion } from './model/complete'

type CompletionsProps = {
  id: string
  completions: readonly Completion[]
  active: number
  onAccept: (index: number) => void
}

/** The list below the query bar. Focus stays in the bar, which names the active option. */
export function Completions({ id, completions, active, onAccept }: CompletionsProps) {
  return (
    <div className="z-overlay absolute top-full right-0 left-0 mt-1 max-w-xl rounded-md bg-surface-0 shadow-pop">
      <div id={id} role="listbox" aria-label="Completions" className="max-h-72 overflow-auto p-1">
        {completions.map((each, index) => (
          // The bar handles the keyboard; a press must not take the focus from it.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={each.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onAccept(index)}
            ref={index === active ? scrollIntoView : undefined}
            className={cx(
              'flex min-h-7 cursor-default items-center gap-3 rounded-sm px-2',
              index === active ? 'bg-accent-soft' : 'hover:bg-surface-2',
            )}
          >
            <span className="min-w-0 truncate font-mono text-sm">{each.label}</span>
            {each.about !== undefined && (
              <span className="min-w-0 flex-1 truncate text-sm text-text-3">{each.about}</span>
            )}
            {each.count !== undefined && (
              <span className="tabular ml-auto text-sm text-text-3">{formatCount(each.count)}</span>
            )}
          </div>
        ))}
      </div>
      <p className="flex flex-wrap items-center gap-3 border-t border-border px-3 py-1 text-xs text-text-3">
        <span>
          <KeyHint keys="Tab" /> complete
        </span>
        <span>
          <KeyHint keys="Enter" /> search
        </span>
        <span className="hidden sm:inline">
          -field:x excludes · (A OR B) · has:user · "a phrase"
        </span>
      </p>
    </div>
  )
}

function scrollIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'nearest' })
}

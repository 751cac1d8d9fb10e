import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Button, IconButton } from '@/shared/ui'
import type { ListField } from './listField'

type ListEditorProps<E> = {
  label: string
  /** What one entry is called: "message". */
  noun: string
  list: ListField<E>
  /** A new, empty entry. */
  create: () => E
  /** At most this many. */
  max?: number
  /** The fields of an entry. */
  children: (entry: E, at: number, change: (next: E) => void) => ReactNode
}

/**
 * The entries of a list in a form: added, removed and moved, all by keyboard. The focus goes to a new entry, and stays in
 * the list when one is removed or moved.
 */
export function ListEditor<E>(props: ListEditorProps<E>) {
  const { label, noun, list, create, max = Infinity, children } = props
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  // The focus is outside React, and its target exists only after rendering.
  useEffect(() => {
    if (wanted.current === undefined) return
    const target = root.current?.querySelector<HTMLElement>(wanted.current)
    wanted.current = undefined
    target?.focus()
  })
  const count = list.items.length
  return (
    <div ref={root} role="group" aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <span id={id} className="text-sm font-medium text-text-2">
        {label}
      </span>
      {count > 0 && (
        <ol className="flex flex-col gap-2">
          {list.items.map(({ key, value }, at) => (
            <li
              key={key}
              data-entry={at}
              aria-label={`${noun} ${at + 1}`}
              className="flex min-w-0 items-start gap-2 rounded-md border border-border bg-surface-1 p-2"
            >
              <div data-fields className="flex min-w-0 flex-1 flex-col gap-2">
                {children(value, at, (next) => list.change(at, next))}
              </div>
              <span className="flex shrink-0 items-center">
                <IconButton
                  size="sm"
                  label={`Move ${noun} ${at + 1} up`}
                  icon={<ArrowUp aria-hidden />}
                  isDisabled={at === 0}
                  onPress={() => {
                    wanted.current = `[data-entry="${at - 1}"] button[aria-label*="${at === 1 ? 'down' : 'up'}"]`
                    list.move(at, at - 1)
                  }}
                />
                <IconButton
                  size="sm"
                  label={`Move ${noun} ${at + 1} down`}
                  icon={<ArrowDown aria-hidden />}
                  isDisabled={at === count - 1}
                  onPress={() => {
                    wanted.current = `[data-entry="${at + 1}"] button[aria-label*="${at + 2 === count ? 'up' : 'down'}"]`
                    list.move(at, at + 1)
                  }}
                />
                <IconButton
                  size="sm"
                  label={`Remove ${noun} ${at + 1}`}
                  icon={<Trash2 aria-hidden />}
                  onPress={() => {
                    wanted.current =
                      count === 1
                        ? '[data-add]'
                        : `[data-entry="${Math.min(at, count - 2)}"] button[aria-label^="Remove"]`
                    list.remove(at)
                  }}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          data-add
          size="sm"
          icon={<Plus aria-hidden />}
          isDisabled={count >= max}
          onPress={() => {
            wanted.current = `[data-entry="${count}"] [data-fields] :is(input, textarea, button, [role="textbox"])`
            list.add(create())
          }}
        >
          Add {noun}
        </Button>
      </div>
    </div>
  )
}

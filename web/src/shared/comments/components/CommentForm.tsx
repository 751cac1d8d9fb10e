import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { Button, Callout, Form, KeyHint, TextField } from '@/shared/ui'
import {
  fromStored,
  matching,
  mentionAt,
  toStored,
  withMention,
  type Draft,
  type Member,
} from '../model/mentions'

const longest = 5000

type CommentFormProps = {
  label: string
  /** The label of the button. */
  action: string
  /** The stored text of a comment that is edited. */
  initial?: string
  members: readonly Member[]
  isPending: boolean
  error?: string
  /** Called with the text to store; the form is cleared if it returns true. */
  onSend: (content: string) => Promise<boolean>
  onCancel?: () => void
  /** The name under which an unsent text is kept while the user looks elsewhere. */
  keptAs?: string
  isFocused?: boolean
}

/** A form to write or edit a comment. @ offers the members of the project; Ctrl+Enter sends. */
export function CommentForm(props: CommentFormProps) {
  const { label, action, initial = '', members, isPending, error, onSend, onCancel } = props
  const { keptAs = '' } = props
  const [draft, setShown] = useState(() => findUnsent<Draft>(keptAs) ?? fromStored(initial))
  const setDraft = (next: Draft) => {
    setShown(next)
    keepUnsent(keptAs, next)
  }
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const listId = useId()
  const typed = mentionAt(draft.text, caret)
  const offered = typed && !isClosed ? matching(members, typed.query) : []
  const content = toStored({ ...draft, text: draft.text.trim() })
  const send = async () => {
    if (content === '' || content.length > longest || isPending) return
    if (!(await onSend(content))) return
    // What was typed in the meantime stays.
    if (findUnsent(keptAs) === draft) keepUnsent(keptAs, undefined)
    setShown((now) => (now === draft ? fromStored('') : now))
  }
  const mention = (member: Member) => {
    if (!typed) return
    const next = withMention(draft, typed.from, caret, member)
    setDraft(next)
    setCaret(next.caret)
    const field = form.current?.querySelector('textarea')
    field?.focus()
    // After React has updated the text.
    requestAnimationFrame(() => field?.setSelectionRange(next.caret, next.caret))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const member = offered[chosen]
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    else if (!member) return
    else if (event.key === 'ArrowDown') setChosen((chosen + 1) % offered.length)
    else if (event.key === 'ArrowUp') setChosen((chosen + offered.length - 1) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') mention(member)
    else if (event.key === 'Escape') setClosed(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onCaret = (event: { target: EventTarget }) => {
    if (event.target instanceof HTMLTextAreaElement) setCaret(event.target.selectionStart)
  }
  return (
    // Keys in the field send the comment and choose members, as the buttons do.
    <Form
      ref={form}
      className="flex min-w-0 flex-col gap-2"
      onKeyDownCapture={onKey}
      onKeyUp={onCaret}
      onClick={onCaret}
      onInput={(event) => {
        onCaret(event)
        setChosen(0)
        setClosed(false)
      }}
      onSubmit={() => void send()}
    >
      <TextField
        label={label}
        rows={3}
        // A form that the user just opened takes the focus.
        autoFocus={props.isFocused}
        value={draft.text}
        onChange={(text) => setDraft({ ...draft, text })}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-activedescendant={offered.length > 0 ? `${listId}-${chosen}` : undefined}
        error={
          content.length > longest
            ? `At most ${longest} characters; these are ${content.length}.`
            : undefined
        }
      />
      {offered.length > 0 && (
        <div
          id={listId}
          role="listbox"
          aria-label="Members"
          className="flex flex-col rounded-md border border-border bg-surface-0 p-1 shadow-pop"
        >
          {offered.map((member, at) => (
            // The field handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={member.id}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === chosen}
              tabIndex={-1}
              onClick={() => mention(member)}
              className={cx(
                'cursor-default truncate rounded-sm px-2 py-1',
                at === chosen && 'bg-surface-2',
              )}
            >
              {member.name.slice(0, 200)}
            </div>
          ))}
        </div>
      )}
      {error !== undefined && <Callout tone="danger">{error}</Callout>}
      <div className="flex items-center gap-2">
        {onCancel && (
          <Button
            size="sm"
            onPress={() => {
              keepUnsent(keptAs, undefined)
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          size="sm"
          isPending={isPending}
          isDisabled={content === ''}
        >
          {action}
        </Button>
        <KeyHint keys="Mod Enter" />
      </div>
    </Form>
  )
}

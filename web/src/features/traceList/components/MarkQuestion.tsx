import { useState } from 'react'
import { SubmitForm } from '@/shared/forms'
import { countOf } from '@/shared/lib/format'
import { Select, TextField } from '@/shared/ui'
import type { MarkChange } from '../api/markTraces'
import type { Table } from '../model/view'

type MarkQuestionProps = {
  table: Table
  count: number
  onStart: (change: MarkChange) => void
  onClose: () => void
}

const kinds = [
  { id: 'bookmark', label: 'Bookmark' },
  { id: 'unbookmark', label: 'Remove bookmark' },
  { id: 'tag', label: 'Add a tag' },
  { id: 'untag', label: 'Remove a tag' },
] as const

type Kind = (typeof kinds)[number]['id']

/** Asks what to mark the traces of rows with, and names their number. */
export function MarkQuestion({ table, count, onStart, onClose }: MarkQuestionProps) {
  const [kind, setKind] = useState<Kind>('bookmark')
  const [typed, setTyped] = useState('')
  const tag = typed.trim()
  const isTag = kind === 'tag' || kind === 'untag'
  const what =
    table === 'traces'
      ? countOf(count, 'trace')
      : `the ${count === 1 ? 'trace' : 'traces'} of ${countOf(count, 'observation')}`
  const actions: Record<Kind, string> = {
    bookmark: `Bookmark ${what}`,
    unbookmark: `Remove the bookmarks of ${what}`,
    tag: `Tag ${what}`,
    untag: `Remove the tag from ${what}`,
  }
  const change: Record<Kind, MarkChange> = {
    bookmark: { bookmarked: true },
    unbookmark: { bookmarked: false },
    tag: { addTags: [tag] },
    untag: { removeTags: [tag] },
  }
  return (
    <SubmitForm
      action={actions[kind]}
      isDisabled={isTag && (tag === '' || tag.length > longestTag)}
      onSubmit={() => onStart(change[kind])}
      onClose={onClose}
    >
      <Select label="Change" options={kinds} value={kind} onChange={setKind} />
      {isTag && (
        <TextField
          label="Tag"
          description="Other tags stay as they are."
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          error={tag.length > longestTag ? `At most ${longestTag} characters` : undefined}
        />
      )}
      <p className="text-text-2">
        Each change is recorded in the audit log, and can be undone right after it.
      </p>
    </SubmitForm>
  )
}

/** The server takes no longer tag. */
const longestTag = 200

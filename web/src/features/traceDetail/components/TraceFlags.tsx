import { Bookmark, Globe, Lock, Tag } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { projectPath } from '@/shared/lib/paths'
import { basePath } from '@/shared/lib/url'
import { Button, Chips, CodeBlock, Dialog, IconButton, TextField, toast } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
import { useUpdateTrace } from '../api/useUpdateTrace'
import { tagsProblem, withTag } from '../model/tags'
import type { WireTree } from '../model/wire'

type TraceMarksProps = { projectId: string; traceId: string; trace: WireTree['trace'] }

/**
 * The marks of a trace: bookmark, tags, and whether it is published. Users who may not change them see them elsewhere.
 */
export function TraceFlags(props: TraceMarksProps) {
  const { projectId, traceId, trace } = props
  const { can } = useProject()
  const mark = useUpdateTrace(projectId, traceId)
  const [open, setOpen] = useState<'tags' | 'publish' | undefined>(undefined)
  if (!can('traces:write')) return null
  const close = () => setOpen(undefined)
  return (
    <span className="flex items-center gap-0.5">
      <IconButton
        size="sm"
        label={trace.bookmarked ? 'Remove bookmark' : 'Bookmark'}
        isDisabled={mark.isPending}
        icon={
          <Bookmark
            aria-hidden
            className={trace.bookmarked ? 'fill-current text-accent' : undefined}
          />
        }
        onPress={() =>
          mark.mutate(
            { bookmarked: !trace.bookmarked },
            {
              onSuccess: ({ bookmarked }) => toast(bookmarked ? 'Bookmarked' : 'Bookmark removed'),
              onError: toastFailure('The bookmark was not changed'),
            },
          )
        }
      />
      <IconButton
        size="sm"
        label="Edit tags"
        icon={<Tag aria-hidden />}
        onPress={() => setOpen('tags')}
      />
      {can('traces:publish') && (
        <Button
          size="sm"
          icon={trace.public ? <Globe aria-hidden /> : <Lock aria-hidden />}
          onPress={() => setOpen('publish')}
        >
          {trace.public ? 'Published' : 'Publish'}
        </Button>
      )}
      <Dialog title="Tags" isOpen={open === 'tags'} onClose={close}>
        {open === 'tags' && <TagsForm {...props} onClose={close} />}
      </Dialog>
      <Dialog
        title={trace.public ? 'This trace is published' : 'Publish the trace'}
        isOpen={open === 'publish'}
        onClose={close}
      >
        {open === 'publish' && <PublishForm {...props} onClose={close} />}
      </Dialog>
    </span>
  )
}

type FormProps = TraceMarksProps & { onClose: () => void }

/** The tags so far, and one that was typed and not added. */
type TagsDraft = { chosen: readonly string[]; typed: string }

function TagsForm({ projectId, traceId, trace, onClose }: FormProps) {
  const mark = useUpdateTrace(projectId, traceId)
  const keptAs = `${projectId} tags of ${traceId}`
  const [draft, setDraft] = useState(
    () => findUnsent<TagsDraft>(keptAs) ?? { chosen: trace.tags, typed: '' },
  )
  const { chosen, typed } = draft
  const change = (next: Partial<TagsDraft>) => {
    setDraft({ ...draft, ...next })
    keepUnsent(keptAs, { ...draft, ...next })
  }
  // What was typed and not added counts: Save means it, too.
  const tags = withTag(chosen, typed)
  const problem = tagsProblem(tags)
  const add = () => {
    if (problem !== undefined) return
    change({ chosen: tags, typed: '' })
  }
  return (
    <SubmitForm
      action="Save tags"
      isPending={mark.isPending}
      error={mark.error}
      onSubmit={() => {
        if (problem !== undefined) return
        mark.mutate(
          { tags },
          {
            onSuccess: () => {
              keepUnsent(keptAs, undefined)
              toast('Tags saved')
              onClose()
            },
          },
        )
      }}
      onClose={() => {
        keepUnsent(keptAs, undefined)
        onClose()
      }}
    >
      <Chips
        label="Tags"
        chips={chosen.map((tag) => ({ id: tag, label: tag }))}
        onRemove={(tag) => change({ chosen: chosen.filter((each) => each !== tag) })}
        empty="No tags"
      />
      <TextField
        label="New tag"
        description="Enter adds it. These tags replace those sent with the observations."
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={(text) => change({ typed: text })}
        onKeyDown={(event) => {
          // With an input method, Enter ends a word; without a word, it saves.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return
          event.preventDefault()
          add()
        }}
        error={problem}
      />
    </SubmitForm>
  )
}

function PublishForm({ projectId, traceId, trace, onClose }: FormProps) {
  const mark = useUpdateTrace(projectId, traceId)
  const address =
    location.origin + basePath + projectPath(projectId, `traces/${encodeURIComponent(traceId)}`)
  return (
    <SubmitForm
      action={trace.public ? 'Stop publishing' : 'Publish'}
      isDanger={trace.public}
      isPending={mark.isPending}
      error={mark.error}
      onSubmit={() => {
        mark.mutate(
          { public: !trace.public },
          {
            onSuccess: (now) => {
              toast(now.public ? 'Published' : 'No longer published')
              if (!now.public) onClose()
            },
          },
        )
      }}
      onClose={onClose}
      close={trace.public ? 'Close' : 'Cancel'}
    >
      <p className="text-text-2">
        {trace.public
          ? 'Anyone with the link can read it, signed in or not.'
          : 'Anyone with the link will be able to read it, signed in or not: inputs, outputs and metadata of all observations, including those that arrive later. Scores, comments and files are not shown.'}
      </p>
      {trace.public && <CodeBlock label="Address" code={address} wrap />}
    </SubmitForm>
  )
}

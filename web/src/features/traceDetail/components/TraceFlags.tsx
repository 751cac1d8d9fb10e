import { Globe, Lock, Star, Tag } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { projectPath } from '@/shared/lib/paths'
import { basePath } from '@/shared/lib/url'
import { Button, CodeBlock, Dialog, FormLayout, IconButton, TextField, toast } from '@/shared/ui'
import { useUpdateTrace } from '../api/useUpdateTrace'
import { parseTags, tagsProblem } from '../model/tags'
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
          <Star aria-hidden className={trace.bookmarked ? 'fill-current text-accent' : undefined} />
        }
        onPress={() =>
          mark.mutate(
            { bookmarked: !trace.bookmarked },
            {
              onSuccess: ({ bookmarked }) => toast(bookmarked ? 'Bookmarked' : 'Bookmark removed'),
              onError: (error) =>
                toast('The bookmark was not changed', {
                  tone: 'danger',
                  description: messageOf(error),
                }),
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

function TagsForm({ projectId, traceId, trace, onClose }: FormProps) {
  const mark = useUpdateTrace(projectId, traceId)
  const [text, setText] = useState(trace.tags.join(', '))
  const tags = parseTags(text)
  const problem = tagsProblem(tags)
  return (
    <FormLayout
      wide
      error={mark.error ? messageOf(mark.error) : undefined}
      onSubmit={() => {
        if (problem !== undefined) return
        mark.mutate(
          { tags },
          {
            onSuccess: () => {
              toast('Tags saved')
              onClose()
            },
          },
        )
      }}
      actions={
        <>
          <Button type="submit" variant="primary" isPending={mark.isPending}>
            Save tags
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <TextField
        label="Tags"
        description="Separated by commas. These replace the tags sent with the spans."
        autoFocus
        value={text}
        onChange={setText}
        error={problem}
      />
    </FormLayout>
  )
}

function PublishForm({ projectId, traceId, trace, onClose }: FormProps) {
  const mark = useUpdateTrace(projectId, traceId)
  const address =
    location.origin + basePath + projectPath(projectId, `traces/${encodeURIComponent(traceId)}`)
  return (
    <FormLayout
      wide
      error={mark.error ? messageOf(mark.error) : undefined}
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
      actions={
        <>
          <Button
            type="submit"
            variant={trace.public ? 'danger' : 'primary'}
            isPending={mark.isPending}
          >
            {trace.public ? 'Stop publishing' : 'Publish'}
          </Button>
          <Button onPress={onClose}>{trace.public ? 'Close' : 'Cancel'}</Button>
        </>
      }
    >
      <p className="text-text-2">
        {trace.public
          ? 'Anyone with the link can read it, signed in or not.'
          : 'Anyone with the link will be able to read it, signed in or not: inputs, outputs and metadata of all observations, including those that arrive later. Scores, comments and files are not shown.'}
      </p>
      {trace.public && <CodeBlock label="Address" code={address} wrap />}
    </FormLayout>
  )
}

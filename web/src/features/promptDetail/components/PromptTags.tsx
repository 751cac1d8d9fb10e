import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { SubmitForm } from '@/shared/forms'
import { Badge, Chips, Dialog, IconButton, TextField, toast } from '@/shared/ui'
import { useSetTags } from '../api/changes'

type PromptTagsProps = { projectId: string; name: string; tags: readonly string[] }

const maxTags = 100
const longestTag = 255

/** The tags of a prompt, which all versions share. */
export function PromptTags({ projectId, name, tags }: PromptTagsProps) {
  const { can } = useProject()
  const [isOpen, setOpen] = useState(false)
  const mayWrite = can('prompts:write')
  if (tags.length === 0 && !mayWrite) return null
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1">
      <span className="mr-1 text-sm text-text-3">{tags.length === 0 ? 'No tags' : 'Tags'}</span>
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {mayWrite && (
        <IconButton
          size="sm"
          label="Edit tags"
          icon={<Pencil aria-hidden />}
          onPress={() => setOpen(true)}
        />
      )}
      <Dialog title="Tags" isOpen={isOpen} onClose={() => setOpen(false)}>
        <TagsForm projectId={projectId} name={name} tags={tags} onClose={() => setOpen(false)} />
      </Dialog>
    </span>
  )
}

function TagsForm({ projectId, name, tags, onClose }: PromptTagsProps & { onClose: () => void }) {
  const [chosen, setChosen] = useState(tags)
  const [typed, setTyped] = useState('')
  const save = useSetTags(projectId, name)
  const added = typed.trim()
  // What was typed and not added counts: saving means it, too.
  const wanted = added === '' || chosen.includes(added) ? chosen : [...chosen, added]
  const problem =
    added.length > longestTag
      ? `A tag has at most ${longestTag} characters.`
      : wanted.length > maxTags
        ? `A prompt has at most ${maxTags} tags.`
        : undefined
  return (
    <SubmitForm
      action="Save tags"
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => {
        if (problem !== undefined) return
        save.mutate([...wanted], {
          onSuccess: () => {
            toast('Tags saved')
            onClose()
          },
        })
      }}
      onClose={onClose}
    >
      <p className="text-text-3">Tags belong to the prompt: all of its versions have the same.</p>
      <Chips
        label="Tags"
        chips={chosen.map((tag) => ({ id: tag, label: tag }))}
        onRemove={(tag) => setChosen(chosen.filter((each) => each !== tag))}
      />
      <TextField
        label="Add a tag"
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        error={problem}
        onKeyDown={(event) => {
          // With an input method, Enter ends a word; without a word, it saves.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || added === '') return
          event.preventDefault()
          if (problem !== undefined) return
          setChosen(wanted)
          setTyped('')
        }}
      />
    </SubmitForm>
  )
}

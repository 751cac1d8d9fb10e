import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { SubmitForm } from '@/shared/forms'
import { Badge, IconButton, toast } from '@/shared/ui'
import { useSetTags } from '../api/changes'
import { tagsProblem, withTag } from '../model/tags'
import { TagsField } from './TagsField'

type TagsCellProps = {
  projectId: string
  promptName: string
  tags: readonly string[]
  mayWrite: boolean
}

/** The tags of a prompt, which are edited where they are. */
export function TagsCell({ projectId, promptName, tags, mayWrite }: TagsCellProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {mayWrite && (
        <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
          <IconButton
            size="sm"
            label={`Edit the tags of ${promptName}`}
            icon={<Pencil aria-hidden className="size-3.5!" />}
          />
          <Popover
            placement="bottom start"
            className="z-overlay w-72 rounded-md bg-surface-0 p-3 shadow-pop outline-none"
          >
            <Dialog aria-label={`Tags of ${promptName}`} className="outline-none">
              <TagsForm
                projectId={projectId}
                promptName={promptName}
                tags={tags}
                onClose={() => setIsOpen(false)}
              />
            </Dialog>
          </Popover>
        </DialogTrigger>
      )}
    </span>
  )
}

type TagsFormProps = Omit<TagsCellProps, 'mayWrite'> & { onClose: () => void }

function TagsForm({ projectId, promptName, tags, onClose }: TagsFormProps) {
  const [value, setValue] = useState({ chosen: tags, typed: '' })
  const save = useSetTags(projectId, promptName)
  // What was typed and not added counts: Save means it, too.
  const wanted = withTag(value.chosen, value.typed)
  return (
    <SubmitForm
      action="Save tags"
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => {
        if (tagsProblem(wanted) !== undefined) return
        save.mutate(wanted, {
          onSuccess: () => {
            toast('Tags saved')
            onClose()
          },
        })
      }}
      onClose={onClose}
    >
      <TagsField value={value} onChange={setValue} autoFocus />
    </SubmitForm>
  )
}

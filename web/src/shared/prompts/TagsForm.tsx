import { useState } from 'react'
import { SubmitForm } from '@/shared/forms'
import { toast } from '@/shared/ui'
import { useSetTags } from './api/useSetTags'
import { tagsProblem, withTag } from './model/tags'
import { TagsField } from './TagsField'

type TagsFormProps = {
  projectId: string
  promptName: string
  tags: readonly string[]
  onClose: () => void
}

/** Changes the tags of a prompt, which all of its versions share. */
export function TagsForm({ projectId, promptName, tags, onClose }: TagsFormProps) {
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
      <p className="text-text-3">Tags belong to the prompt: all of its versions have the same.</p>
      <TagsField value={value} onChange={setValue} autoFocus />
    </SubmitForm>
  )
}

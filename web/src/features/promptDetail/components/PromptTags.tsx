import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { TagsForm } from '@/shared/prompts'
import { Badge, Dialog, IconButton } from '@/shared/ui'

type PromptTagsProps = { projectId: string; name: string; tags: readonly string[] }

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
        <TagsForm
          projectId={projectId}
          promptName={name}
          tags={tags}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </span>
  )
}

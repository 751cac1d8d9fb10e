import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { TagsForm } from '@/shared/prompts'
import { Badge, IconButton } from '@/shared/ui'

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

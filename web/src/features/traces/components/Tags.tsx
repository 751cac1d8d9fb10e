import { Badge } from '@/ui'

/** Tags side by side; those that do not fit are in the title. */
export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <span title={tags.join(', ')} className="flex min-w-0 gap-1 overflow-hidden">
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  )
}

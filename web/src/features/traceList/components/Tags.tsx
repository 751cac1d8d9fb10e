import { Badge } from '@/shared/ui'

/** Tags side by side; the title has those that do not fit. */
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

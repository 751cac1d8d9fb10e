import { Comments } from '@/shared/comments'
import type { PromptVersion } from '@/shared/prompts'

/** The comments on a version. */
export function CommentsTab({ projectId, prompt }: { projectId: string; prompt: PromptVersion }) {
  return (
    <div className="max-w-2xl">
      <Comments key={prompt.id} subject={{ projectId, kind: 'PROMPT', id: prompt.id }} />
    </div>
  )
}

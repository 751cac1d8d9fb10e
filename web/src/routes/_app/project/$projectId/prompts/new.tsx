import { createFileRoute } from '@tanstack/react-router'
import { PromptEditorPage } from '@/features/prompts'
import { strings } from '@/shared/lib/search'

/** A new prompt, or a new version of one. No prompt can have this name. */
export const Route = createFileRoute('/_app/project/$projectId/prompts/new')({
  validateSearch: strings('name', 'version', 'promptId', 'folder'),
  component: PromptEditorPage,
})

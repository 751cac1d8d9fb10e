import { createFileRoute } from '@tanstack/react-router'
import { PromptPage, promptSearchNames } from '@/features/promptDetail'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/prompts/$promptName')({
  validateSearch: strings(...promptSearchNames),
  component: PromptPage,
})

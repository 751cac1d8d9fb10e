import { createFileRoute } from '@tanstack/react-router'
import { PlaygroundPage } from '@/features/playground'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/playground')({
  validateSearch: strings('saved', 'prompt', 'version', 'observation', 'trace'),
  component: PlaygroundPage,
})

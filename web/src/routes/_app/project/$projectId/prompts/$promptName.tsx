import { createFileRoute } from '@tanstack/react-router'
import { ProjectAddressPage } from '@/features/placeholders'
import { strings } from '@/shared/lib/search'

/** A prompt. It has a route of its own because names may contain slashes, which the splat of other pages cannot. */
export const Route = createFileRoute('/_app/project/$projectId/prompts/$promptName')({
  validateSearch: strings('version', 'label'),
  component: ProjectAddressPage,
})

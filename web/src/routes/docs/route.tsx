import { createFileRoute } from '@tanstack/react-router'
import { DocsLayout } from '@/features/docs'
import { strings } from '@/shared/lib/search'

/** The documentation, which needs no sign-in. */
export const Route = createFileRoute('/docs')({
  validateSearch: strings('q'),
  component: DocsLayout,
})

import { createFileRoute } from '@tanstack/react-router'
import { HomePage, prefetchHome } from '@/features/home'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/')({
  validateSearch: strings(...tableSearchNames),
  loader: prefetchHome,
  component: HomePage,
})

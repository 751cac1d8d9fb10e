import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '@/features/home'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/')({
  validateSearch: strings(...tableSearchNames),
  component: HomePage,
})

import { createFileRoute } from '@tanstack/react-router'
import { ExportsPage } from '@/features/exports'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/exports')({
  validateSearch: strings(...tableSearchNames),
  component: ExportsPage,
})

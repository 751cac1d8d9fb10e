import { createFileRoute } from '@tanstack/react-router'
import { ModelsPage } from '@/features/models'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/models/')({
  validateSearch: strings(...tableSearchNames, 'q'),
  component: ModelsPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { ProjectKeysPage } from '@/features/keys'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/api-keys')({
  validateSearch: strings(...tableSearchNames),
  component: ProjectKeysPage,
})

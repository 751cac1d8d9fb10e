import { createFileRoute } from '@tanstack/react-router'
import { ConnectionsPage } from '@/features/connections'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/llm-connections/')({
  validateSearch: strings(...tableSearchNames),
  component: ConnectionsPage,
})

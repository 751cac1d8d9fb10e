import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ConnectionsPage } from '@/features/connections'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/llm-connections/')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: ConnectionsPage,
})

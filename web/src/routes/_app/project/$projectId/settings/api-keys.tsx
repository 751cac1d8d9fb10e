import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ProjectKeysPage } from '@/features/keys'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/api-keys')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: ProjectKeysPage,
})

import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ModelsPage } from '@/features/models'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/models/')({
  validateSearch: v.looseObject({
    ...tableSearchEntries,
    q: v.optional(v.fallback(v.string(), '')),
  }),
  component: ModelsPage,
})

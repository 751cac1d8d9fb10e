import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { UserPage } from '@/features/users'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/users/$userId')({
  validateSearch: v.looseObject({
    ...tableSearchEntries,
    tab: v.optional(v.fallback(v.string(), '')),
  }),
  component: UserPage,
})

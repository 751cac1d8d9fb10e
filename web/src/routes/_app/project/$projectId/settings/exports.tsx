import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ExportsPage } from '@/features/exports'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/exports')({
  validateSearch: v.looseObject({ ...tableSearchEntries }),
  component: ExportsPage,
})

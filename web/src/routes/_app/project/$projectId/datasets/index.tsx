import { createFileRoute } from '@tanstack/react-router'
import { DatasetsPage, listSearchNames } from '@/features/datasets'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/datasets/')({
  validateSearch: strings(...listSearchNames, ...tableSearchNames),
  component: DatasetsPage,
})

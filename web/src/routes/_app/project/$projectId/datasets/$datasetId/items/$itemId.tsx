import { createFileRoute } from '@tanstack/react-router'
import { DatasetPage, itemSearchNames } from '@/features/datasets'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/datasets/$datasetId/items/$itemId')({
  validateSearch: strings(...itemSearchNames, ...tableSearchNames),
  component: Item,
})

function Item() {
  const { datasetId, itemId } = Route.useParams()
  return <DatasetPage datasetId={datasetId} tab="items" itemId={itemId} />
}

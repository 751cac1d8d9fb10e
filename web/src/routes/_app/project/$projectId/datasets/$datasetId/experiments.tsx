import { createFileRoute } from '@tanstack/react-router'
import { DatasetPage } from '@/features/datasets'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/datasets/$datasetId/experiments')({
  validateSearch: strings(...tableSearchNames),
  component: Runs,
})

function Runs() {
  const { datasetId } = Route.useParams()
  return <DatasetPage datasetId={datasetId} tab="runs" />
}

import { createFileRoute } from '@tanstack/react-router'
import { nextSearchNames, ReviewPage } from '@/features/annotation'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/annotation-queues/$queueId/items/')({
  validateSearch: strings(...nextSearchNames),
  component: Next,
})

function Next() {
  const { queueId } = Route.useParams()
  return <ReviewPage queueId={queueId} />
}

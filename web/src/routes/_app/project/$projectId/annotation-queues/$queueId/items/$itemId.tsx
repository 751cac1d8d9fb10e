import { createFileRoute } from '@tanstack/react-router'
import { nextSearchNames, ReviewPage } from '@/features/annotation'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute(
  '/_app/project/$projectId/annotation-queues/$queueId/items/$itemId',
)({
  validateSearch: strings(...nextSearchNames),
  component: Item,
})

function Item() {
  return <ReviewPage {...Route.useParams()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { QueuePage, queueSearchNames } from '@/features/annotation'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/annotation-queues/$queueId/')({
  validateSearch: strings(...queueSearchNames, ...tableSearchNames),
  component: Queue,
})

function Queue() {
  const { queueId } = Route.useParams()
  return <QueuePage key={queueId} queueId={queueId} />
}

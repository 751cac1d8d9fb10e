import { createFileRoute } from '@tanstack/react-router'
import { QueuesPage, queuesSearchNames } from '@/features/annotation'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/annotation-queues/')({
  validateSearch: strings(...queuesSearchNames, ...tableSearchNames),
  component: QueuesPage,
})

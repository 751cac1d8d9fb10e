import { createFileRoute } from '@tanstack/react-router'
import { FindTracePage } from '@/features/placeholders'

export const Route = createFileRoute('/_app/trace/$traceId')({
  component: function FindTrace() {
    return <FindTracePage traceId={Route.useParams().traceId} />
  },
})

import { createFileRoute } from '@tanstack/react-router'
import { FindTracePage } from '@/features/placeholders'

export const Route = createFileRoute('/_app/public/traces/$traceId')({
  component: function FindTrace() {
    return <FindTracePage traceId={Route.useParams().traceId} />
  },
})
